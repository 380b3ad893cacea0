/** Recognises the index of a folder of records: a page that lists them and decides nothing. */
import { wordKey } from './document/dictionary.ts'
import type { AdrDocument } from './document/document.ts'
import { unitsBetween } from './document/units.ts'

/** Lines of a page that are searched for records. */
const mostUnits = 2000
const fewestListed = 2

/** Whether a page has the title of an index and lists other records, in a table or a list. */
export function isIndexPage(document: AdrDocument, title: string): boolean {
  if (!indexTitle.test(wordKey(title))) return false
  const units = unitsBetween(document, 0, document.text.length).slice(0, mostUnits)
  return units.filter(({ source }) => listed.test(source)).length >= fewestListed
}

/** A line that begins with a link to a file, with a number and such a link, or with the code of a record. */
const listed =
  /^[^\p{L}\p{N}[]*(?:(?:[a-z]{2,10}[-\s#]?)?\d{1,5}\s*[|:.–—-]\s*)?(?:\[[^\n]{1,300}?\]\([^()\s]{0,500}\.(?:mdx?|markdown|rst|adoc|html?)[^()\s]{0,500}\)|(?:[ml]?adr|dec)[-\s#]?\d{1,5}(?!\d))/iu

const records = [
  '(?:adrs?|decisions?|decision records?|(?:architectur(?:e|al)|design|technical|engineering) decisions?(?: records?)?)(?: adrs?\\)?)?',
  "architekturentscheidungen|entscheidungen|decisions? d'architecture|decisiones(?: de arquitectura)?|decisoes(?: de arquitetura)?",
].join('|')
const indexTitle = new RegExp(
  `^(?:(?:the |our )?(?:index|list|log|overview|register|table)(?: of)?(?: all| our| the)*(?: (?:${records}))?|table of contents|(?:[\\p{L}\\p{N}.-]+ ){0,3}(?:architectur(?:e|al) decision (?:records?|log)|decision (?:records|log))(?: \\(?adrs?\\)?)?|(?:the |our )?(?:${records})(?: (?:index|list|log|overview|register|summary))?)$`,
  'u',
)
