/** Finds the headings of a file, and the code, number or date with which some of them begin or end: `## DEC-001: Use one file`. */
import { areCode } from '../../../text/code-blocks.ts'
import { wordKey } from '../document/dictionary.ts'
import { readFrontMatter } from '../document/front-matter.ts'
import { plainText } from '../document/markdown.ts'
import { findDate } from '../metadata/dates.ts'

export interface LogHeading {
  /** Line, from 0. */
  at: number
  level: number
  text: string
  /** Without number or date. */
  title: string
  identity: Identity | undefined
}
export type IdentifiedHeading = LogHeading & { identity: Identity }

export interface Identity {
  /** A code, a number or a day: `dec-001`, `3` or `2025-03-01`. */
  key: string
  number?: number
  date?: string
  labels: string[]
  /** It has the code of a decision, such as `ADR-1`, `DEC-2`, `D3` or `Decision 4`. */
  isCode: boolean
}

export const isIdentified = (heading: LogHeading): heading is IdentifiedHeading => heading.identity !== undefined

/** UTF-16 units. A longer line is no heading. */
const mostInHeading = 500

export function headingsIn(lines: readonly string[]): LogHeading[] {
  const first = readFrontMatter(lines.join('\n')).lines
  const code = areCode(lines)
  const found: LogHeading[] = []
  let inComment = false
  for (const [at, line] of lines.entries()) {
    if (code[at] || at < first || line.length > mostInHeading) continue
    const isComment = inComment || line.trimStart().startsWith('<!--')
    if (isComment) {
      inComment = !line.includes('-->')
      continue
    }
    const [, marks, atx] = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line) ?? []
    const underline = /^(?:(=+)|-{2,})[ \t]*$/.exec(lines[at + 1] ?? '')
    const isSetext = marks === undefined && underline !== null && /^[\p{L}\d]/u.test(line) && !line.includes('|')
    const text = atx === undefined ? (isSetext ? line.trim() : undefined) : withoutClosing(atx)
    if (text === undefined) continue
    const plain = plainText(text)
    const level = marks?.length ?? (underline?.[1] ? 1 : 2)
    found.push({ at, level, text: plain, ...identified(plain) })
  }
  return found
}

/** Without the marks that may close a heading, as in `## Use one file ##`. A pattern would take the cube of the length. */
function withoutClosing(text: string): string {
  const trimmed = text.trimEnd()
  let end = trimmed.length
  while (trimmed[end - 1] === '#') end--
  return end === 0 || /\s/.test(trimmed[end - 1] ?? '') ? trimmed.slice(0, end).trimEnd() : trimmed
}

const separator = '(?:\\s*[.:：)|·•]\\s+|\\s*[:：]\\s*|\\s+[–—-]+\\s+|\\s*[–—]\\s*|\\s+|$)'
/** `ADR-001`, `DEC 2`, `AD-3`, `D4`, `Decision 5`, `ACME-ADR-006`. */
const coded = new RegExp(
  `^\\[?((?:[A-Z]{2,10}-)?(?:[ML]?ADR|DEC|DR|DDR|TDR|EDR|PDR|AD|D|Decision|Entscheidung|Décision|Decisión))[-_ #]?(\\d{1,5})\\]?(?!\\d|\\.\\d)${separator}(.*)$`,
  'su',
)
/** `3. Title`, `003 — Title`, `#3: Title`. */
const numbered = /^#?(\d{1,5})(?:\s*[.:)]\s+|\s+[–—-]+\s+)(\S.*)$/su
const datedFirst = /^\[?((?:19|20)\d{2}-\d{2}-\d{2})\]?(?:\s*[:：|·•–—-]+\s*|\s+)(\S.*)$/su
const datedLast = /^(\S.*?)\s*(?:\(((?:19|20)\d{2}-\d{2}-\d{2})\)|[–—-]\s+((?:19|20)\d{2}-\d{2}-\d{2}))$/su

function identified(text: string): Pick<LogHeading, 'title' | 'identity'> {
  const bare = text.replace(/^(?:\p{Extended_Pictographic}|\uFE0F|\s|~)+/u, '')
  const code = coded.exec(bare)
  if (code) {
    const [, prefix = '', digits = '', title = ''] = code
    const key = `${prefix}-${digits}`.toLowerCase()
    const number = Number(digits)
    const letters = /[A-Z]+$/.exec(prefix)?.[0] ?? 'ADR'
    const sizes = [1, 2, 3, 4].map((size) => String(number).padStart(size, '0'))
    const labels = sizes.flatMap((one) => [`${prefix}-${one}`, `${letters}-${one}`, `${letters}${one}`])
    return { title: title.trim(), identity: { key, number, labels: [...new Set(labels)], isCode: true } }
  }
  const dated = datedFirst.exec(bare)
  const end = dated ? null : datedLast.exec(bare)
  const date = dated?.[1] ?? end?.[2] ?? end?.[3]
  const title = (dated ? dated[2] : end?.[1]) ?? ''
  if (date !== undefined && findDate(date) && !notOfDecision.test(wordKey(title)))
    return { title: title.trim(), identity: { key: date, date, labels: [], isCode: false } }
  const [, digits, rest = ''] = numbered.exec(bare) ?? []
  if (digits === undefined) return { title: text, identity: undefined }
  return { title: rest.trim(), identity: { key: digits, number: Number(digits), labels: [], isCode: false } }
}

/** A change of the text itself, such as `2025-03-01: Update`. */
const notOfDecision =
  /^(?:(?:first |initial |minor |major )?(?:updates?|updated|amendments?|amended|addend(?:um|a)|revisions?|revised|changes?|changed|notes?|status|review(?:ed)?|postscript|follow up|retrospective|meeting|minutes|nachtrag|änderung|anderung|mise a jour|actualizacion))\b/u
