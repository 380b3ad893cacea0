import { type Language, vscode } from './language.ts'

export const python: Language = {
  name: 'python',
  grammar: vscode('python'),
  query: `
  (function_definition name: (_) @name body: (_) @body) @function
  (class_definition name: (_) @name body: (_) @body) @class
  (type_alias_statement left: (type [(identifier) @name (generic_type . (identifier) @name)])) @type
  (module (expression_statement (assignment left: (identifier) @name) @variable))
  (class_definition body: (block (expression_statement (assignment left: (identifier) @name) @field)))
  (function_definition body: (block . (expression_statement . (string) @docstring))) @documented
  (class_definition body: (block . (expression_statement . (string) @docstring))) @documented
  (comment) @comment
  (decorator) @decorator`,
  lines: [
    { kind: 'function', pattern: /^\s*(?:async\s+)?def\s+(?<name>\w+)\s*[([]/ },
    { kind: 'class', pattern: /^\s*class\s+(?<name>\w+)\s*[:([]/ },
  ],
  constant: /^[A-Z][A-Z0-9_]*\s*[:=]/,
}
