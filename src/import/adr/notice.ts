/** Finds the notices above a decision that tell what became of the record, such as `> **Partially superseded** by …`. */
import { plainText } from './document/markdown.ts'

/**
 * Block quotes at the beginning, and the text below them. `notice` is empty if there is none, or if the text has nothing
 * but notices: then they are all that the record says.
 */
export function splitNotice(text: string): { notice: string; rest: string } {
  let rest = text
  for (let quote = noticeAt(rest); quote !== ''; quote = noticeAt(rest)) rest = rest.slice(quote.length).trimStart()
  const notice = text.slice(0, text.length - rest.length).trimEnd()
  return /\p{L}/u.test(rest.replace(/^#.*$/gm, '')) ? { notice, rest } : { notice: '', rest: text }
}

/** A notice that says more than a line of metadata, such as `> **Superseded by:** [ADR 5](…)`. */
export function tellsMore(quote: string): boolean {
  return noticeAt(quote) === quote && plainText(quote.replace(link, '')).split(' ').length > mostWords
}

/** Words of a line of metadata beside its links: `Superseded by … on 5 March 2024 (in part)`. */
const mostWords = 10
const link = /\[[^[\]\n]*\](?:\([^()\n]*\))?/g

function noticeAt(text: string): string {
  const [quote = ''] = leadingQuote.exec(text) ?? []
  return label.test(quote) ? quote : ''
}

/** Its lines, and those that continue its paragraph without a mark. */
const leadingQuote = /^>[^\n]*(?:\n(?:>|(?![#`~*+|-]|\d+[.)])[^\s])[^\n]*)*/

const words = [
  'historical|history|note|status note|update|superseded|replaced|amend(?:ed|s|ment)|relates|deprecated|withdrawn|dropped|retired|reverted|reversed|obsolete',
  'historisch|hinweis|ersetzt|nachtrag|geändert|ergänzt|veraltet|zurückgezogen|verworfen|aufgehoben',
  'historique|supersédée?|remplacée?|mise à jour|modifiée?|amendée?|abandonnée?|retirée?|obsolète',
  'nota|actualización|reemplazad[oa]|sustituid[oa]|modificad[oa]|enmendad[oa]|retirad[oa]|descartad[oa]|obsolet[oa]',
]
const inPart = '(?:partially|partly|largely|teilweise|partiellement|parcialmente)'
const label = new RegExp(
  `^>\\s*(?:\\*\\*|__)\\s*(?:${inPart}\\s+)?(?:${words.join('|')})(?!\\p{L})(?:\\[[^[\\]\\n]*\\](?:\\([^()\\n]*\\)|(?!\\())|[^*_\\n[]){0,80}(?:\\*\\*|__)`,
  'iu',
)
