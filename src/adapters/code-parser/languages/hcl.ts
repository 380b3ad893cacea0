/** Terraform and other HCL. The type of a resource is its container, so `aws_instance.web` finds it. */
import { cursorless, type Language } from './language.ts'

export const hcl: Language = {
  name: 'hcl',
  grammar: cursorless('hcl'),
  query: `
  (config_file (body (block . (identifier) @of . (string_lit) @receiver . (string_lit) @name . (block_start) @body) @constant))
  ((config_file (body (block . (identifier) @of . [(string_lit) (identifier)] @name . (block_start) @body) @variable)) (#eq? @of "variable"))
  ((config_file (body (block . (identifier) @of . [(string_lit) (identifier)] @name . (block_start) @body) @module)) (#eq? @of "module"))
  (config_file (body (block . (identifier) . [(string_lit) (identifier)] @name . (block_start) @body) @constant))
  ((config_file (body (block . (identifier) @of (body (attribute . (identifier) @name) @constant)))) (#eq? @of "locals"))
  (comment) @comment`,
  lines: [],
}
