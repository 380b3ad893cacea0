/** Finds the notices above a decision that tell what became of the record, such as `> **Partially superseded** by …`. */
import { plainText } from './document/markdown.ts'

/**
 * Notices at the beginning, and the text below them. `isSuperseded`: the status says so. Then a first paragraph such as
 * `This record has been superseded by [ADR 5]` is a notice too, and `rest` is empty if there is nothing else. In any other
 * record, a text that has nothing but notices is all that the record says.
 */
export function splitNotice(text: string, isSuperseded = false): { notice: string; rest: string } {
  let rest = text
  const next = () => noticeAt(rest) || (isSuperseded ? sentenceAt(rest) : '')
  for (let notice = next(); notice !== ''; notice = next()) rest = rest.slice(notice.length).trimStart()
  const notice = text.slice(0, text.length - rest.length).trimEnd()
  if (/\p{L}/u.test(rest.replace(/^#.*$/gm, ''))) return { notice, rest }
  return isSuperseded && ended.test(notice) ? { notice, rest: '' } : { notice: '', rest: text }
}

const ended =
  /superseded|replaced|deprecated|obsolete|retired|withdrawn|ersetzt|remplac|reemplazad|sustituid|substitu/iu

/** A longer paragraph says more than that the record is superseded. */
const mostInSentence = 400
const endedBy =
  /^[^.\n>|#*-][^.\n]{0,150}?\b(?:(?:is|are|was|were|has been|have been)\s+(?:now\s+|since\s+)?(?:superseded|replaced|obsoleted)\s+(?:by|with)|(?:wird|wurde|ist)\s+durch)\s[^\n]{0,60}?(?:\[|\bADR[\s#-]?\d)/iu

function sentenceAt(text: string): string {
  const [paragraph = ''] = text.split(/\n\s*\n/, 1)
  return paragraph.length <= mostInSentence && endedBy.test(paragraph) ? paragraph : ''
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
