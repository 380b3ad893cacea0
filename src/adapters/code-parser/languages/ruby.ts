import { type Language, vscode } from './language.ts'

export const ruby: Language = {
  name: 'ruby',
  grammar: vscode('ruby'),
  query: `
  (method name: (_) @name body: (_)? @body) @function
  (singleton_method name: (_) @name body: (_)? @body) @method
  (class name: (_) @name body: (_)? @body) @class
  (module name: (_) @name body: (_)? @body) @module
  ((assignment left: (constant) @name right: (call receiver: (constant) @of method: (identifier) @new)) @class
    (#any-of? @of "Struct" "Class" "Data") (#any-of? @new "new" "define"))
  (assignment left: (constant) @name) @constant
  ((call method: (identifier) @of arguments: (argument_list (simple_symbol) @name @field))
    (#any-of? @of "attr_accessor" "attr_reader" "attr_writer"))
  (comment) @comment`,
  lines: [
    { kind: 'method', pattern: /^\s*def\s+(?:self\.)?(?<name>\w+[?!=]?)/ },
    { kind: 'class', pattern: /^\s*class\s+(?<name>[A-Z]\w*(?:::[A-Z]\w*)*)/ },
    { kind: 'module', pattern: /^\s*module\s+(?<name>[A-Z]\w*(?:::[A-Z]\w*)*)/ },
  ],
  moduleMethods: true,
  separator: '::',
}
