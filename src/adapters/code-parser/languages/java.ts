import { type Language, vscode } from './language.ts'

export const java: Language = {
  name: 'java',
  grammar: vscode('java'),
  query: `
  (class_declaration name: (_) @name body: (_) @body) @class
  (record_declaration name: (_) @name body: (_) @body) @class
  (interface_declaration name: (_) @name body: (_) @body) @interface
  (annotation_type_declaration name: (_) @name body: (_) @body) @interface
  (enum_declaration name: (_) @name body: (_) @body) @enum
  (enum_constant name: (_) @name) @constant
  (method_declaration name: (_) @name body: (_)? @body) @method
  (constructor_declaration name: (_) @name body: (_) @body) @method
  (compact_constructor_declaration name: (_) @name body: (_) @body) @method
  (annotation_type_element_declaration name: (_) @name) @method
  (field_declaration declarator: (variable_declarator name: (_) @name)) @field
  (constant_declaration declarator: (variable_declarator name: (_) @name)) @constant
  (line_comment) @comment
  (block_comment) @comment
  (modifiers [(marker_annotation) (annotation)] @decorator)`,
  lines: [
    {
      kind: 'class',
      pattern: /^\s*(?:(?:public|protected|private|abstract|final|static|sealed)\s+)*(?:class|record)\s+(?<name>\w+)/,
    },
    { kind: 'interface', pattern: /^\s*(?:(?:public|protected|private|static|sealed)\s+)*@?interface\s+(?<name>\w+)/ },
    { kind: 'enum', pattern: /^\s*(?:(?:public|protected|private|static)\s+)*enum\s+(?<name>\w+)/ },
    {
      kind: 'method',
      pattern: /^\s+(?:(?:public|protected|private|static|final|synchronized)\s+)+[\w<>[\], ?.]+\s+(?<name>\w+)\s*\(/,
    },
  ],
  constant: /\bstatic\b.*\bfinal\b|\bfinal\b.*\bstatic\b/,
}
