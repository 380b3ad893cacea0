import { cursorless, type Language } from './language.ts'

const modifiers = String.raw`(?:(?:public|protected|private|internal|open|abstract|final|override|suspend|inline|operator|infix|tailrec|external|data|sealed|inner|value|annotation|expect|actual|companion)\s+)*`

export const kotlin: Language = {
  name: 'kotlin',
  grammar: cursorless('kotlin'),
  query: `
  (class_declaration "interface" (type_identifier) @name (class_body)? @body) @interface
  (class_declaration "enum" (type_identifier) @name (enum_class_body)? @body) @enum
  (class_declaration (type_identifier) @name (class_body)? @body) @class
  (object_declaration (type_identifier) @name (class_body)? @body) @class
  (companion_object (type_identifier) @name (class_body)? @body) @class
  (function_declaration (simple_identifier) @name (function_body)? @body) @function
  (secondary_constructor "constructor" @name) @method
  (property_declaration (variable_declaration . (simple_identifier) @name)) @variable
  (class_parameter (binding_pattern_kind) (simple_identifier) @name) @field
  (enum_entry (simple_identifier) @name) @constant
  (type_alias . (type_identifier) @name) @type
  (line_comment) @comment
  (multiline_comment) @comment
  (annotation) @decorator`,
  lines: [
    {
      kind: 'function',
      pattern: new RegExp(String.raw`^\s*${modifiers}fun\s+(?:<[^>]*>\s*)?(?:[\w<>, ?*]+\.)?(?<name>\w+)\s*\(`),
    },
    { kind: 'interface', pattern: new RegExp(String.raw`^\s*${modifiers}(?:fun\s+)?interface\s+(?<name>\w+)`) },
    { kind: 'enum', pattern: new RegExp(String.raw`^\s*${modifiers}enum\s+class\s+(?<name>\w+)`) },
    { kind: 'class', pattern: new RegExp(String.raw`^\s*${modifiers}(?:class|object)\s+(?<name>\w+)`) },
  ],
  constant: /\bconst\s+val\b/,
}
