import { type Language, vscode } from './language.ts'

const modifiers = String.raw`(?:(?:public|protected|private|internal|static|sealed|abstract|partial|readonly|unsafe|ref|new|virtual|override|async|extern)\s+)`

export const csharp: Language = {
  name: 'csharp',
  grammar: vscode('c-sharp'),
  query: `
  (class_declaration name: (_) @name body: (_)? @body) @class
  (struct_declaration name: (_) @name body: (_)? @body) @class
  (record_declaration name: (_) @name body: (_)? @body) @class
  (interface_declaration name: (_) @name body: (_)? @body) @interface
  (enum_declaration name: (_) @name body: (_)? @body) @enum
  (enum_member_declaration name: (_) @name) @constant
  (delegate_declaration name: (_) @name) @type
  (method_declaration name: (_) @name body: (_)? @body) @method
  (constructor_declaration name: (_) @name body: (_)? @body) @method
  (destructor_declaration name: (_) @name body: (_)? @body) @method
  (operator_declaration operator: _ @name body: (_)? @body) @method
  (local_function_statement name: (_) @name body: (_)? @body) @function
  (property_declaration name: (_) @name accessors: (_)? @body) @field
  (event_declaration name: (_) @name) @field
  (field_declaration (variable_declaration (variable_declarator name: (_) @name))) @field
  (event_field_declaration (variable_declaration (variable_declarator name: (_) @name))) @field
  (comment) @comment
  (attribute_list) @decorator`,
  lines: [
    {
      kind: 'class',
      pattern: new RegExp(String.raw`^\s*${modifiers}*(?:class|struct|record(?:\s+(?:class|struct))?)\s+(?<name>\w+)`),
    },
    { kind: 'interface', pattern: new RegExp(String.raw`^\s*${modifiers}*interface\s+(?<name>\w+)`) },
    { kind: 'enum', pattern: new RegExp(String.raw`^\s*${modifiers}*enum\s+(?<name>\w+)`) },
    {
      kind: 'method',
      pattern: new RegExp(String.raw`^\s*${modifiers}+[\w<>\[\],?.]+\s+(?<name>\w+)\s*(?:<[^>]*>)?\(`),
    },
  ],
  constant: /\bconst\b|\bstatic\b.*\breadonly\b/,
}
