/** Reads the title of a record, and the number in it. */
import { byWord, statusWords, wordKey } from './document/dictionary.ts'
import type { AdrDocument } from './document/document.ts'
import type { FrontMatter } from './document/front-matter.ts'
import { plainText } from './document/markdown.ts'
import { unitsBetween } from './document/units.ts'
import { fieldOf } from './metadata/field-line.ts'

/** Without Markdown. In `# ADR-001` above `## Title`, the title is the text of that section. */
export function titleIn(document: AdrDocument): string | undefined {
  const source = document.title?.source
  const firstSection = document.sections[0]?.start ?? document.text.length
  // `# Title`: nobody replaced the heading of the template
  if (source !== undefined && /^(?:title|titel|titre)$/iu.test(source))
    return firstLine(document, 0, firstSection) ?? source
  if (source !== undefined && !isNumberOnly(source)) return source
  const section = document.sections.find(({ heading }) => /^(?:title|titel|titre|t[ií]tulo|titolo)$/iu.test(heading))
  return (section && firstLine(document, section.bodyStart, section.end)) ?? source
}

/** `ADR-004`, `12`. */
const isNumberOnly = (title: string) => /^\P{L}*(?:\p{L}{2,10}[-\s]?)?#?\d{1,6}\P{L}*$/u.test(title)

function firstLine(document: AdrDocument, start: number, end: number): string | undefined {
  const [first] = unitsBetween(document, start, end)
  // below a heading that nobody replaced, `Date: …` is no title
  return first && fieldOf(first) === undefined ? plainText(first.source) : undefined
}

/**
 * `[superseded] Title`, `Title [deprecated]`, `Title (superseded)`. `state`: the word in brackets, or undefined. `stated`:
 * the record states its status elsewhere.
 */
export function splitState(text: string, stated: boolean): { title: string; state: string | undefined } {
  const [found, first, last, round] = bracketed.exec(text) ?? []
  const state = first ?? last ?? round
  const word = states.get(wordKey(state ?? ''))
  // `Use the cluster (active)` can be a whole title, and so can `Read the parser (draft)` of a record with a status
  const isTitle = round !== undefined && (word === 'accepted' || (word === 'proposed' && stated))
  const isState = word !== undefined && !isTitle
  return found !== undefined && isState
    ? { title: text.replace(bracketed, ''), state }
    : { title: text, state: undefined }
}

const states = byWord(statusWords)
const bracketed =
  /^\[([^[\]]{2,20})\]\s*[:–—-]?\s*(?=\S)|(?<=\S)\s*(?:\[([^[\]]{2,20})\]|[(（]([^()（）]{2,20})[)）])$/u

/** Splits `ADR-001: Title`, `1. Title`, `Nr. 1: Title`, `[ADR 1] Title`, `0001 - Title`, `0001 · Title` or `003_Title` into title and number. */
export function splitNumber(text: string, name = ''): { title: string; number: number | undefined } {
  const bare = /^(\d{1,6})\s+(\p{L}.*)$/su.exec(text)
  const coded = /^([A-Z]{1,5}[- ]?(?:\d{4}-)?(\d{1,6}))\s*(?:[:：|·•]|\s[–—-]\s|\s)\s*(.+)$/su.exec(text)
  const inName = Number(/(?<!\d)(?:(?<=[A-Z]-)\d{4}-)?(\d{1,6})(?!\d)/.exec(name)?.[1])
  // one less than in the file name: the heading was copied from the record before
  if (bare && (Number(bare[1]) === inName || (inName > 10 && Number(bare[1]) === inName - 1))) {
    return { title: (bare[2] ?? '').trim(), number: Number(bare[1]) }
  }
  const isCode = withoutMarks(name).startsWith(withoutMarks(coded?.[1] ?? ''))
  if (coded && isCode && Number(coded[2]) === inName) return { title: (coded[3] ?? '').trim(), number: inName }
  const dated = /^(?:ADR\s+)?\d{4}-\d{2}-\d{2}\s*[:：|·•–—-]\s*(.+)$/isu.exec(text)
  if (dated) return { title: (dated[1] ?? '').trim(), number: undefined }
  const patterns = [
    /^\[?(?:(?:(?:[A-Z]{2,10}[-_ ])?M?ADR(?:-[A-Z]{2,10}(?=-\d))?|LADR|RFC|DR|EDR|TDR|PDR)|(?:architecture |architectural |design )?decision(?: record)?)[\s#№_.-]*(\d{1,6})\]?\s*(?:[.:：)_|·•–—-]+\s*|\s+|$)(.*)$/isu,
    /^\[?(?:#|№|[Nn][or]\.?\s)?(\d{1,6})\]?\s*(?:[.:：)]\s+|\s+[·•–—-]+\s+|_+)(.*)$/su,
    /^(\d{3,6})[\s.:)·•-]+(\D.*)$/su,
    /^(\d{1,2})\s*(?:[、．])\s*(.*)$/su,
    /^ADR\s*[:：–—-]\s*()(.*)$/isu,
    // `Acme Press - PRESS-ADR-0003 - Title`
    /^\p{L}[^:：|]{1,60}?\s[-–—|]\s(?:[A-Z]{2,10}-)?ADR-?(\d{1,6})\s[-–—|]\s(.*)$/su,
    /^(?:RFC|M?ADR|(?:(?:architecture|architectural|design|technical) )?decision record(?: \(ADR\))?)(?:\s*[:：]\s*|\s+[–—-]\s+)()(.*)$/isu,
  ]
  const bareText = text.replace(/^(?:\p{Extended_Pictographic}|\uFE0F|\s)+/u, '')
  for (const pattern of patterns) {
    const match = pattern.exec(bareText)
    if (match && (match[2] ?? '').trim() !== '') {
      return { title: (match[2] ?? '').trim(), number: match[1] === '' ? undefined : Number(match[1]) }
    }
  }
  return { title: text.trim(), number: undefined }
}

/** `CDR001TENTS` of `cdr-001-tents` and of `CDR 001 tents`. */
const withoutMarks = (text: string) => text.toUpperCase().replace(/[-_ ]/g, '')

/** `[short title of the problem]`, `NNNN: TITLE`, `ADR000: [TITLE]`, `TITLE`. */
export function isTemplateTitle(title: string): boolean {
  const text = title.replace(/^["'#\s\d.-]+|["'\s]+$/g, '')
  // `<number>. <title>` leaves no letter, because Markdown takes `<number>` as HTML
  if (title !== '' && !/[\p{L}\p{N}]/u.test(title)) return true
  return (
    /^(?:\[.+\]|\{.+\}|<.+>)$/s.test(text) ||
    noTitle.test(text) ||
    /^(?:[A-Z]{2,8}[-\s#]?)?(?:N{2,4}|X{2,4}|NUMBER|000+)[.:\s-]+(?:\[.+\]$|\W*(?:TITLE|short))/i.test(title)
  )
}

/** `Title`, `Decision title`, `My RFC title`. */
const noTitle =
  /^(?:title|titel|titre|t[ií]tulo|titolo|(?:(?:my|your) )?(?:(?:adr|rfc|decision|record) )?title(?: here)?)$/iu

/** `RFC Proposal`, `Architecture Decision Record`. */
export const namesOnlyKind = (title: string): boolean =>
  /^(?:rfc|adr|(?:architecture |architectural |technical |design )?decision record)(?: proposal| document)?$/i.test(
    title,
  )

/** The number of a record whose front matter states it. */
export function numberIn(front: FrontMatter): number | undefined {
  for (const key of ['adr', 'id', 'number']) {
    const match = /^(?:ADR[\s_-]*)?(\d{1,6})$/i.exec(front.fields.get(wordKey(key))?.values[0] ?? '')
    if (match) return Number(match[1])
  }
  return undefined
}

/** Whether the front matter has a title that is more than a number. */
export function hasTitle({ fields }: FrontMatter): boolean {
  const [title = ''] = fields.get('title')?.values ?? []
  return /\p{L}/u.test(title) && !isNumberOnly(title)
}
