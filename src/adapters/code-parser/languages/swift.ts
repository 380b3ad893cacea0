import { cursorless, type Language } from './language.ts'

const modifiers = String.raw`(?:(?:@\w+(?:\([^)]*\))?|public|private|fileprivate|internal|open|static|final|override|mutating|nonmutating|class|convenience|required|indirect)\s+)*`

export const swift: Language = {
  name: 'swift',
  grammar: cursorless('swift'),
  query: `
  (class_declaration "enum" name: (_) @name body: (_) @body) @enum
  (class_declaration "extension" name: (_) @name body: (_) @body) @scope
  (class_declaration name: (_) @name body: (_) @body) @class
  (protocol_declaration name: (_) @name body: (_) @body) @interface
  (typealias_declaration name: (type_identifier) @name) @type
  (associatedtype_declaration name: (_) @name) @type
  (function_declaration) @function
  (deinit_declaration "deinit" @name body: (_)? @body) @method
  (subscript_declaration "subscript" @name) @method
  (protocol_function_declaration name: (simple_identifier) @name) @method
  (protocol_property_declaration name: (pattern bound_identifier: (_) @name)) @field
  (property_declaration name: (pattern bound_identifier: (_) @name)) @variable
  (enum_entry name: (simple_identifier) @name) @constant
  (comment) @comment
  (multiline_comment) @comment`,
  lines: [
    { kind: 'function', pattern: new RegExp(String.raw`^\s*${modifiers}func\s+(?<name>\w+)\s*[(<]`) },
    {
      kind: 'class',
      pattern: new RegExp(String.raw`^\s*${modifiers}(?:class|struct|actor)\s+(?!func\b|var\b|let\b)(?<name>\w+)`),
    },
    { kind: 'enum', pattern: new RegExp(String.raw`^\s*${modifiers}enum\s+(?<name>\w+)`) },
    { kind: 'interface', pattern: new RegExp(String.raw`^\s*${modifiers}protocol\s+(?<name>\w+)`) },
  ],
  constant: /\bstatic\s+let\b/,
  separator: '.',
}
