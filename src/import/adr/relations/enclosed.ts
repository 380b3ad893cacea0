/** Verbs around or behind their reference: `被 ADR-9 取代`, `wird durch ADR 9 ersetzt`, `ADR-9 を置き換え`. */
import { ownSubject, partialWords } from '../document/dictionary.ts'
import { namesPart } from './part.ts'

export interface Enclosed {
  kind: 'supersedes' | 'superseded_by' | 'amends' | 'amended_by'
  before: string
  /** The text with the reference. */
  between: string
  after: string
}

const reference = '(?:\uE000\\d+\uE001|adr[\\s-]?\\d{1,5}|(?<!\\d)0\\d{3}(?!\\d))(?:\\s*[(（][^()（）]{1,80}[)）])?'
const references = `(?:${reference}(?:[\\s、,と와과和與与及]|und\\s)*)+`
const pattern = (text: string) => new RegExp(text, 'u')

const verbs: [Enclosed['kind'], RegExp][] = [
  ['superseded_by', /(?:已|现|現)?(?<![未不没沒将將能会會])被\s*([^，。；]{1,80}?)\s*(?:部分)?(?:取代|替代|代替)/u],
  ['amended_by', /(?:已|现|現)?(?<![未不没沒将將能会會])被\s*([^，。；]{1,80}?)\s*(?:修订|修訂|修改|补充|補充)/u],
  // an English verb in a Chinese sentence
  [
    'superseded_by',
    pattern(
      `(?<![未不没沒将將能会會])[被由]\\s*(${references})(?:部分)?(?:取代|替代|(?:supersede[sd]?|replaced?)(?![a-z]))`,
    ),
  ],
  [
    'amended_by',
    pattern(`(?<![未不没沒将將能会會])[被由]\\s*(${references})(?:部分)?(?:修订|修訂|amend(?:ed)?(?![a-z]))`),
  ],
  [
    'superseded_by',
    /(?<!\p{L})(?:wird|werden|wurden?|ist|sind)\s+(?:teilweise\s+)?(?:durch|von)\s+(.{1,80}?)\s+(?:ersetzt|abgelost)(?!\s+werden)/u,
  ],
  [
    'amended_by',
    /(?<!\p{L})(?:wird|werden|wurden?|ist|sind)\s+(?:teilweise\s+)?durch\s+(.{1,80}?)\s+(?:geandert|erganzt)(?!\s+werden)/u,
  ],
  // `löst ADR 4 ab`
  [
    'supersedes',
    pattern(
      `(?<!\\p{L})(?:lost|losen)\\s+(?:teilweise\\s+)?(${references})(?:(?:teilweise|vollstandig|komplett)\\s+)?ab(?!\\p{L})`,
    ),
  ],
  [
    'superseded_by',
    pattern(
      `(${references})(?:(?:により|によって|に)\\s*(?:置き換え|置換|上書き|supersede)\\s*[さら]れ(?!な|ませ|る予定|てい[なま])|(?:에 의해|로|으로|\\(으\\)로)\\s*(?:supersede|대체)\\s*(?:되(?!지)|된|됨))`,
    ),
  ],
  [
    'supersedes',
    pattern(
      `(${references})(?:を\\s*(?:置き換え|置換|上書き|supersede)(?!ない|ません|[さら]れ)|(?:을|를)\\s*(?:대체|supersede)(?!하지|되))`,
    ),
  ],
  // `本記録は ADR 3 を当日の予約について拡張する`
  [
    'amends',
    pattern(
      `(${references})を\\s*(?:[^。、を]{1,20}?)?(?:拡張|修正|補足|改訂|変更)(?:する(?!もの|こと|必要|予定|かど)|します|した|しました)`,
    ),
  ],
  // `ADR 37 の色に関する判断を置き換えます`: a part of it
  [
    'amends',
    pattern(`(${reference})\\s*の[^。、]{1,40}?を\\s*(?:置き換え|置換|上書き|supersede)(?!ない|ません|[さら]れ)`),
  ],
]

/** Tells quickly that a text has no such verb. */
export const mayEnclose =
  /被|由|[をに]\s*(?:置|上書)|を[^。、を]{0,20}?(?:拡張|修正|補足|改訂|変更)|(?:より|よって)\s*(?:置|上書)|[을를로해]\s*대체|durch|löst|lösen|abgelöst/iu

/** `folded`: the sentence in lower case and without accents, each letter at its offset. */
export function enclosedIn(sentence: string, folded: string): Enclosed | undefined {
  for (const [kind, verb] of verbs) {
    const match = verb.exec(folded)
    if (!match) continue
    const [whole, inside = ''] = match
    const at = match.index + whole.indexOf(inside)
    const before =
      folded
        .slice(0, match.index)
        .split(/\s[·•|]\s/)
        .at(-1) ?? ''
    const after = sentence.slice(match.index + whole.length)
    return { kind, before, between: sentence.slice(at, at + inside.length), after }
  }
  return undefined
}

/** Whether the record itself, or a part of it, is the subject. */
export function isSubject(before: string): boolean {
  // `関連: [ADR 3] / [ADR 4] の一部を置き換える`
  const start = (before.split(/\uE001\s*[/／、]\s*/u).at(-1) ?? '').trim()
  // `…に変更はなく、本記録は`
  const clause = start.split('、').at(-1) ?? ''
  return (
    start === '' ||
    ownSubject.test(start) ||
    /^(?:本|この)/u.test(clause) ||
    partialWords.test(start) ||
    namesPart(start)
  )
}
