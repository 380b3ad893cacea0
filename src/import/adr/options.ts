/** The options that a record weighed: what each is called and what is said of it. */
import type { List, RootContent } from 'mdast'
import { optionPrefix, wordKey } from './dictionary.ts'
import { type AdrDocument, type Section, sectionKind, span } from './document.ts'
import { parseInline, plainText, sourceOf } from './markdown.ts'

export interface Option {
  title: string
  /** Description, pros and cons, in Markdown; empty where there is none. */
  text: string
}

const mostOptions = 50

/** Of all sections of options and of their pros and cons, each option once, in the order of the text. */
export function readOptions(document: AdrDocument): Option[] {
  const found = new Map<string, Option>()
  const add = (option: Option, detailed = false) => {
    const key = optionKey(option.title)
    const before = found.get(key) ?? (detailed ? close(found, key) : undefined)
    if (before) before.text = [before.text, option.text].filter((text) => text !== '').join('\n\n')
    else if (option.title !== '' && found.size < mostOptions) found.set(key, { ...option })
  }
  const details = document.sections
    .filter(({ kind }) => kind === 'details')
    .flatMap((section) => subsections(document, section))
  const detailed = new Set(details.map(({ title }) => optionKey(title)))
  for (const section of document.sections) {
    if (section.kind === 'options') for (const option of optionsOf(document, section, detailed)) add(option)
  }
  for (const option of details) add(option, true)
  return [...found.values()]
}

/** Those that the decision begins with: `Chosen option: "B", because …`. Near enough is the same, if only one is. */
export function chosenAmong(options: readonly Option[], decision: string): Option[] {
  const head = decision
    .slice(0, 2000)
    .split(/\n\s*\n/)
    .slice(0, 2)
    .join('\n')
  const stated = chosenPattern
    .exec(head)
    ?.slice(1)
    .find((part) => part !== undefined)
  const said = optionKey(plainText(stated ?? head.replace(/^[^\p{L}]*\p{L}+(?:\s\p{L}+){0,2}\s*[:：][*_\s]*/u, '')))
  const starting = options.filter((option) => begins(said, optionKey(option.title)))
  if (starting.length > 0) {
    const longest = Math.max(...starting.map((option) => optionKey(option.title).length))
    return starting.filter((option) => optionKey(option.title).length === longest)
  }
  if (stated === undefined) return []
  const number = /(\d{1,2})/.exec(optionPrefix.exec(wordKey(plainText(stated)))?.[0] ?? '')?.[1]
  const numbered = options.filter(({ title }) => number !== undefined && optionPrefix.exec(title)?.[0].includes(number))
  if (numbered.length === 1) return numbered
  const near = options.filter((option) => likeness(said, optionKey(option.title)) >= 0.65)
  return near.length === 1 ? near : []
}

const chosenPattern =
  /(?:chosen|selected|preferred|gew[äa]hlt\p{L}*|choisie?|elegida|escolhida|scelta|gekozen|wybran\p{L}*|выбран\p{L}*|选择\p{L}*|採用\p{L}*|選択\p{L}*|선택\p{L}*)[^:："“\n]{0,40}?\s*[:：]?\s*(?:[*_]{2}(.+?)[*_]{2}|["“「『](.+?)["”」』]|[:：]\s*(.+?)(?:[.。;,、\n]|\sbecause\b|$))/isu

function begins(text: string, key: string): boolean {
  return key.length > 2 && (text === key || text.startsWith(`${key} `) || (key.length > 8 && text.startsWith(key)))
}

/** Share of words that two names have in common, 0 to 1. */
function likeness(a: string, b: string): number {
  const [one, other] = [new Set(a.split(' ')), new Set(b.split(' '))]
  const common = [...one].filter((word) => other.has(word)).length
  return (2 * common) / (one.size + other.size)
}

function optionsOf(document: AdrDocument, section: Section, detailed: ReadonlySet<string>): Option[] {
  const below = subsections(document, section).filter((option) => sectionKind(option.title) === null)
  if (below.length === 0) return listedIn(document, section.bodyStart, section.end)
  // subsections that only group lists of what is told later
  const all = listedIn(document, section.bodyStart, section.end)
  if (all.some(({ title }) => detailed.has(optionKey(title)))) return all
  // a list above them names what they tell, and may name more
  const known = new Set(below.map(({ title }) => optionKey(title)))
  const listed = listedIn(document, section.bodyStart, nextStart(document, section))
  const others = listed.filter(({ title }) => !known.has(optionKey(title)))
  if (others.length < listed.length) return [...below, ...others]
  // a list of two and more above headings of other things, such as an example
  return listed.length > 1 && !below.some(({ title }) => optionPrefix.test(title)) ? listed : below
}

/** Sections of the first level below it, and deeper ones that are called `Option 4`. */
function subsections(document: AdrDocument, section: Section): Option[] {
  const below = document.sections.filter(({ start, end }) => start > section.start && end <= section.end)
  const top = Math.min(...below.map(({ level }) => level))
  const starts = below.filter(({ level, heading }) => level === top || optionPrefix.test(heading))
  return starts.map(({ heading, bodyStart, end }, at) => {
    const text = document.text.slice(bodyStart, Math.min(end, starts[at + 1]?.start ?? end))
    return { title: titleOf(heading), text: text.trim() }
  })
}

function nextStart(document: AdrDocument, section: Section): number {
  return document.sections.find(({ start }) => start > section.start)?.start ?? section.end
}

/** The items of lists between two offsets; nested ones are part of theirs. */
function listedIn(document: AdrDocument, start: number, end: number): Option[] {
  const lists = document.blocks.filter((block): block is List => {
    const [from, to] = span(block)
    return block.type === 'list' && from >= start && to <= end
  })
  return lists.flatMap((list) => list.children.map((item) => optionOfItem(document, item.children as RootContent[])))
}

/** `**Title** - what it is`, `[Title](url): what it is`, or a title alone with the rest below it. */
function optionOfItem(document: AdrDocument, children: RootContent[]): Option {
  const [first, ...rest] = children
  const source = first ? sourceOf(first) : ''
  const below = rest.map((block) => document.text.slice(...span(block)).trim())
  const bold = /^\s*(?:\*\*|__)(.+?)(?:\*\*|__)\s*[:：–—-]?\s*(.*)$/su.exec(source)
  const plain = parseInline(source, document.definitions).plain
  const parts = bold ? [plainText(bold[1] ?? '', document.definitions), (bold[2] ?? '').trim()] : splitTitle(plain)
  return { title: titleOf(parts[0] ?? ''), text: [parts[1] ?? '', ...below].filter((text) => text !== '').join('\n\n') }
}

function splitTitle(text: string): [string, string] {
  const [line = '', ...others] = text.split('\n')
  const match = /^(.{2,160}?)\s*(?::\s|：|\s[–—-]\s)\s*(\S.*)$/su.exec(line)
  // `Option 1: title`, not a title `Option 1`
  if (match && !/^(?:\p{L}+\s*)?#?\d{1,2}$/u.test((match[1] ?? '').trim())) {
    return [match[1] ?? '', [match[2] ?? '', ...others].join('\n').trim()]
  }
  if (line.length <= 200) return [line, others.join('\n').trim()]
  return [/^.{20,200}?[.!?。](?=\s|$)/u.exec(line)?.[0] ?? line, text]
}

function titleOf(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/^\s*\d{1,2}[.)]\s+/, '')
    .replace(/^[\s"'“”[\]✅❌]+|[\s"'“”[\]:：]+$/gu, '')
    .trim()
}

/** Options are the same when their words are, with or without `Option 1:`. */
function optionKey(title: string): string {
  const key = wordKey(title)
  const bare = wordKey(key.replace(optionPrefix, '').replace(/^\(?\d{1,2}[.):]\s*/, ''))
  return (bare === '' ? key : bare).replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
}

/** An option whose name is the beginning of the other's. */
function close(found: ReadonlyMap<string, Option>, key: string): Option | undefined {
  if (key.length < 4) return undefined
  const near = [...found].filter(
    ([other]) => other.length >= 4 && (other.startsWith(`${key} `) || key.startsWith(`${other} `)),
  )
  return near.length === 1 ? near[0]?.[1] : undefined
}
