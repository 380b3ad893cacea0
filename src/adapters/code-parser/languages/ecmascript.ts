/** JavaScript and TypeScript. */
import { type Language, vscode } from './language.ts'

const javascriptQuery = `
  (function_declaration name: (_) @name body: (_) @body) @function
  (generator_function_declaration name: (_) @name body: (_) @body) @function
  (class_declaration name: (_) @name body: (_) @body) @class
  (method_definition name: (_) @name body: (_) @body) @method
  (variable_declarator name: (identifier) @name value: [
    (arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) @function
  (variable_declarator name: (identifier) @name value: (class body: (_) @body)) @class
  (assignment_expression left: (identifier) @name right: [
    (arrow_function body: (_) @body) (function_expression body: (_) @body)]) @function
  (assignment_expression left: (member_expression object: (_) @receiver property: (_) @name) right: [
    (arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) @function
  (assignment_expression left: (member_expression object: (_) @receiver property: (_) @name) right: (class body: (_) @body)) @class
  (pair key: (_) @name value: [
    (arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) @method
  (program (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant))
  (program (export_statement (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant)))
  (program (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name) @variable))
  (program (export_statement (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name) @variable)))
  (program (variable_declaration (variable_declarator name: (identifier) @name) @variable))
  (program (export_statement (variable_declaration (variable_declarator name: (identifier) @name) @variable)))
  (function_expression name: (identifier) @name body: (_) @body) @function
  (class name: (_) @name body: (_) @body) @class
  (comment) @comment
  (decorator) @decorator`

const javascriptFields = `
  (field_definition property: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @method
  (field_definition property: (_) @name) @field`

const typescriptQuery = `
  (function_signature name: (_) @name) @function
  (abstract_class_declaration name: (_) @name body: (_) @body) @class
  (interface_declaration name: (_) @name body: (_) @body) @interface
  (type_alias_declaration name: (_) @name) @type
  (enum_declaration name: (_) @name body: (_) @body) @enum
  (enum_body name: (_) @name @constant)
  (enum_assignment name: (_) @name) @constant
  (internal_module name: (_) @name body: (_) @body) @module
  (module name: (_) @name body: (_) @body) @module
  (method_signature name: (_) @name) @method
  (abstract_method_signature name: (_) @name) @method
  (public_field_definition name: (_) @name value: [
    (arrow_function body: (_) @body) (function_expression body: (_) @body)]) @method
  (public_field_definition name: (_) @name) @field
  (interface_body (property_signature name: (_) @name) @field)
  (ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
  (ambient_declaration (variable_declaration (variable_declarator name: (identifier) @name) @variable))`

const lines: Language['lines'] = [
  { kind: 'function', pattern: /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*(?<name>[\w$]+)/ },
  { kind: 'class', pattern: /^\s*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+(?<name>[\w$]+)/ },
  {
    kind: 'function',
    pattern: /^(?:export\s+)?const\s+(?<name>[\w$]+)\s*=\s*(?:async\s+)?(?:function\b|\([^)]*\)\s*=>)/,
  },
]

const typescriptLines: Language['lines'] = [
  ...lines,
  { kind: 'interface', pattern: /^\s*(?:export\s+)?interface\s+(?<name>[\w$]+)\s*[<{]/ },
  { kind: 'type', pattern: /^\s*(?:export\s+)?type\s+(?<name>[\w$]+)\s*[<=]/ },
  { kind: 'enum', pattern: /^\s*(?:export\s+)?(?:const\s+)?enum\s+(?<name>[\w$]+)\s*\{/ },
]

export const javascript: Language = {
  name: 'javascript',
  grammar: vscode('javascript'),
  query: javascriptQuery + javascriptFields,
  lines,
}

export const typescript: Language = {
  name: 'typescript',
  grammar: vscode('typescript'),
  query: javascriptQuery + typescriptQuery,
  lines: typescriptLines,
}

/** The same language with elements. Its files have a grammar of their own, because `<T>x` is a cast in the other one. */
export const tsx: Language = { ...typescript, grammar: vscode('tsx') }
