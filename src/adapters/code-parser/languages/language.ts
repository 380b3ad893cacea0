/** How symbols of one language are found. Its query is a query of tree-sitter, in its own syntax. */
export interface Language {
  /** Lower case, as callers filter by it. */
  name: string
  /** Package and file of the grammar. */
  grammar: string
  /**
   * What it captures:
   * - a definition by the name of its kind (ports/code-parser.ts), or as `scope`: it names what is inside, such as an
   *   `impl` of Rust, but is no symbol; or as `prototype`: a function without body, ignored inside functions
   * - `name`, or `declarator`: the name stands somewhere inside it (C). Without both, the fields `name` and
   *   `body` of the node: in the grammar of Swift, patterns of functions take seconds to compile
   * - `receiver`: names the container, because the definition stands outside of it
   * - `body`: the signature ends before it
   * - `comment`, `decorator`: what may stand above a definition
   * - `docstring` and `documented`: a text inside a definition that explains it
   * If two patterns find the same name, the first one counts.
   */
  query: string
  /** Lines that define something, for parts of a file that the grammar does not understand. They have a group `name`. */
  lines: readonly LinePattern[]
  /** Fields and variables whose signature it matches are constants. */
  constant?: RegExp
  /** Functions in modules are methods. */
  moduleMethods?: boolean
  /** Splits a name such as `Outer::inner`. */
  separator?: string
}

export interface LinePattern {
  kind: 'function' | 'method' | 'class' | 'interface' | 'type' | 'enum' | 'module'
  pattern: RegExp
}

export const vscode = (file: string) => `@vscode/tree-sitter-wasm/wasm/tree-sitter-${file}.wasm`
export const cursorless = (file: string) => `@cursorless/tree-sitter-wasms/out/tree-sitter-${file}.wasm`
