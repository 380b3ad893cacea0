import { parse as yaml } from '../yaml.js'

/** What stands between the two lines of dashes describes the page; a page may do without. */
export function parse(text) {
  const match = /^---\n([\s\S]*?)\n---\n/.exec(text)
  return match ? { ...yaml(match[1]), body: text.slice(match[0].length) } : { body: text }
}
