/** C and C++. Names stand inside declarators, so code looks for them there (analysis/symbols.ts). */
import { cursorless, type Language, vscode } from './language.ts'

const shared = `
  (function_definition declarator: (_) @declarator body: (_) @body) @function
  (declaration declarator: [(function_declarator) (pointer_declarator (function_declarator))] @declarator) @prototype
  (struct_specifier name: (_) @name body: (_) @body) @class
  (union_specifier name: (_) @name body: (_) @body) @class
  (type_definition type: [(struct_specifier !name body: (_) @body) (union_specifier !name body: (_) @body)] declarator: (type_identifier) @name) @class
  (type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @enum
  (enum_specifier name: (_) @name body: (_) @body) @enum
  (enumerator name: (_) @name) @constant
  (type_definition declarator: (_) @declarator) @type
  (field_declaration declarator: [(field_identifier) (pointer_declarator (field_identifier)) (array_declarator (field_identifier))] @declarator) @field
  (preproc_def name: (_) @name value: (_)) @constant
  (preproc_function_def name: (_) @name) @function
  (translation_unit (declaration declarator: (init_declarator declarator: (_) @declarator)) @variable)
  (comment) @comment`

const lines: Language['lines'] = [
  { kind: 'function', pattern: /^(?:[A-Za-z_][\w:<>,]*[\s*&]+)+(?<name>(?:[A-Za-z_]\w*::)*~?[A-Za-z_]\w*)\s*\([^;]*$/ },
  { kind: 'class', pattern: /^\s*(?:typedef\s+)?(?:struct|union)\s+(?<name>[A-Za-z_]\w*)\s*\{/ },
  { kind: 'enum', pattern: /^\s*(?:typedef\s+)?enum\s+(?<name>[A-Za-z_]\w*)\s*\{/ },
]

const constant = /\bconst\b|\bconstexpr\b/

export const c: Language = { name: 'c', grammar: cursorless('c'), query: shared, lines, constant }

export const cpp: Language = {
  name: 'cpp',
  grammar: vscode('cpp'),
  query: `${shared}
  (function_definition declarator: (_) @declarator !body) @function
  (declaration declarator: (reference_declarator (function_declarator)) @declarator) @prototype
  (declaration declarator: (operator_cast) @declarator) @prototype
  (field_declaration declarator: (_) @declarator) @prototype
  (class_specifier name: (_) @name body: (_) @body) @class
  (namespace_definition name: (_) @name body: (_) @body) @module
  (namespace_definition body: (_) @body) @scope
  (alias_declaration name: (_) @name) @type
  (concept_definition name: (_) @name) @type
  (template_declaration parameters: (_) @decorator)`,
  lines: [
    ...lines,
    { kind: 'class', pattern: /^\s*class\s+(?:[A-Z_]+\s+)?(?<name>[A-Za-z_]\w*)\s*(?:final\s*)?(?::[^:;]*)?\{?\s*$/ },
    { kind: 'enum', pattern: /^\s*enum\s+(?:class|struct)\s+(?<name>[A-Za-z_]\w*)/ },
  ],
  constant,
  separator: '::',
}
