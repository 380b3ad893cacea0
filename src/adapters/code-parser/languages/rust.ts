import { type Language, vscode } from './language.ts'

export const rust: Language = {
  name: 'rust',
  grammar: vscode('rust'),
  query: `
  (function_item name: (_) @name body: (_) @body) @function
  (function_signature_item name: (_) @name) @function
  (struct_item name: (_) @name body: (_)? @body) @class
  (union_item name: (_) @name body: (_) @body) @class
  (enum_item name: (_) @name body: (_) @body) @enum
  (enum_variant name: (_) @name) @constant
  (trait_item name: (_) @name body: (_) @body) @interface
  (type_item name: (_) @name) @type
  (associated_type name: (_) @name) @type
  (const_item name: (_) @name) @constant
  (static_item name: (_) @name) @variable
  (field_declaration name: (_) @name) @field
  (mod_item name: (_) @name body: (_) @body) @module
  (macro_definition name: (_) @name) @function
  (impl_item type: (_) @name body: (_) @body) @scope
  (line_comment) @comment
  (block_comment) @comment
  (attribute_item) @decorator`,
  lines: [
    {
      kind: 'function',
      pattern: /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:const|async|unsafe|extern(?:\s+"[^"]*")?)\s+)*fn\s+(?<name>\w+)/,
    },
    { kind: 'class', pattern: /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:struct|union)\s+(?<name>\w+)/ },
    { kind: 'enum', pattern: /^\s*(?:pub(?:\([^)]*\))?\s+)?enum\s+(?<name>\w+)/ },
    { kind: 'interface', pattern: /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?trait\s+(?<name>\w+)/ },
  ],
  separator: '::',
}
