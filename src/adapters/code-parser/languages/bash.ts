import { type Language, vscode } from './language.ts'

export const bash: Language = {
  name: 'bash',
  grammar: vscode('bash'),
  query: `
  (function_definition name: (_) @name body: (_) @body) @function
  (program (variable_assignment name: (variable_name) @name) @variable)
  (program (declaration_command (variable_assignment name: (variable_name) @name)) @variable)
  (comment) @comment`,
  lines: [
    { kind: 'function', pattern: /^\s*(?:function\s+)?(?<name>[\w.:-]+)\s*\(\)/ },
    { kind: 'function', pattern: /^\s*function\s+(?<name>[\w.:-]+)/ },
  ],
  constant: /^(?:declare\s+-\w*r|readonly)\b/,
}
