import { type Language, vscode } from './language.ts'

export const go: Language = {
  name: 'go',
  grammar: vscode('go'),
  query: `
  (function_declaration name: (_) @name body: (_)? @body) @function
  (method_declaration receiver: (parameter_list (parameter_declaration type: (_) @receiver)) name: (_) @name body: (_)? @body) @method
  (type_spec name: (_) @name type: (struct_type (field_declaration_list) @body)) @class
  (type_spec name: (_) @name type: (interface_type)) @interface
  (type_spec name: (_) @name) @type
  (type_alias name: (_) @name) @type
  (method_elem name: (_) @name) @method
  (field_declaration name: (_) @name) @field
  (source_file (const_declaration (const_spec name: (_) @name) @constant))
  (source_file (var_declaration (var_spec name: (_) @name) @variable))
  (source_file (var_declaration (var_spec_list (var_spec name: (_) @name) @variable)))
  (comment) @comment`,
  lines: [
    { kind: 'method', pattern: /^func\s+\([^)]*\)\s*(?<name>\w+)\s*[([]/ },
    { kind: 'function', pattern: /^func\s+(?<name>\w+)\s*[([]/ },
    { kind: 'type', pattern: /^type\s+(?<name>\w+)\s/ },
  ],
}
