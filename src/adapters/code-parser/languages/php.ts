import { type Language, vscode } from './language.ts'

const modifiers = String.raw`(?:(?:public|protected|private|static|final|abstract|readonly)\s+)*`

export const php: Language = {
  name: 'php',
  grammar: vscode('php'),
  query: `
  (function_definition name: (_) @name body: (_) @body) @function
  (method_declaration name: (_) @name body: (_)? @body) @method
  (class_declaration name: (_) @name body: (_) @body) @class
  (interface_declaration name: (_) @name body: (_) @body) @interface
  (trait_declaration name: (_) @name body: (_) @body) @class
  (enum_declaration name: (_) @name body: (_) @body) @enum
  (enum_case name: (_) @name) @constant
  (const_declaration (const_element (name) @name)) @constant
  (property_declaration (property_element name: (variable_name (name) @name))) @field
  (property_promotion_parameter name: (variable_name (name) @name)) @field
  (comment) @comment
  (attribute_list) @decorator`,
  lines: [
    { kind: 'function', pattern: new RegExp(String.raw`^\s*${modifiers}function\s+&?(?<name>\w+)\s*\(`) },
    { kind: 'class', pattern: new RegExp(String.raw`^\s*${modifiers}(?:class|trait)\s+(?<name>\w+)`) },
    { kind: 'interface', pattern: /^\s*interface\s+(?<name>\w+)/ },
  ],
}
