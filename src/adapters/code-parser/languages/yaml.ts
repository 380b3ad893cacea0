/** The keys of the first two levels, such as `jobs` and `jobs/build`, if they hold more than one value. */
import { cursorless, type Language } from './language.ts'

export const yaml: Language = {
  name: 'yaml',
  grammar: cursorless('yaml'),
  query: `
  (document (block_node (block_mapping (block_mapping_pair key: (_) @name value: (block_node)) @field)))
  (document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping
    (block_mapping_pair key: (_) @name value: (block_node)) @field))))))
  (comment) @comment`,
  lines: [],
}
