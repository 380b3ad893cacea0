import { cursorless, type Language } from './language.ts'

const modifiers = String.raw`(?:(?:private|protected|final|sealed|abstract|implicit|override|lazy|case|inline|open|transparent)(?:\[\w+\])?\s+)*`

export const scala: Language = {
  name: 'scala',
  grammar: cursorless('scala'),
  query: `
  (class_definition name: (_) @name body: (_)? @body) @class
  (object_definition name: (_) @name body: (_)? @body) @class
  (package_object name: (_) @name body: (_)? @body) @class
  (trait_definition name: (_) @name body: (_)? @body) @interface
  (enum_definition name: (_) @name body: (_)? @body) @enum
  (simple_enum_case name: (_) @name) @constant
  (full_enum_case name: (_) @name) @constant
  (function_definition name: (_) @name body: (_) @body) @function
  (function_declaration name: (_) @name) @function
  (given_definition name: (_) @name) @variable
  (type_definition name: (_) @name) @type
  (val_definition pattern: (identifier) @name) @constant
  (var_definition pattern: (identifier) @name) @variable
  (val_declaration name: (_) @name) @constant
  (var_declaration name: (_) @name) @variable
  (comment) @comment
  (block_comment) @comment
  (annotation) @decorator`,
  lines: [
    { kind: 'function', pattern: new RegExp(String.raw`^\s*${modifiers}def\s+(?<name>\w+)`) },
    { kind: 'interface', pattern: new RegExp(String.raw`^\s*${modifiers}trait\s+(?<name>\w+)`) },
    { kind: 'enum', pattern: new RegExp(String.raw`^\s*${modifiers}enum\s+(?<name>\w+)`) },
    { kind: 'class', pattern: new RegExp(String.raw`^\s*${modifiers}(?:class|object)\s+(?<name>\w+)`) },
  ],
}
