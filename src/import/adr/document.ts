/** One Markdown file as its parts: title, what stands before the first section, and the sections by their kind. */
import type { Nodes, Root, RootContent, Table } from 'mdast'
import { byWord, optionPrefix, type SectionKind, sectionWords, wordKey } from './dictionary.ts'
import { type Definitions, definitionsOf, parseBlocks, plainText, sourceOf } from './markdown.ts'

export interface Section {
  /** null: a heading that no dictionary has. */
  kind: SectionKind | null
  /** As written, without marks. */
  heading: string
  level: number
  /** From 1, in the file. */
  line: number
  /** Offsets in the text of the document: the heading, what follows it, the end of its last subsection. */
  start: number
  bodyStart: number
  end: number
  parent: Section | null
}

/** A line of text that may say something by itself: of a paragraph, a list item, a quote, a row of a table. */
export interface Unit {
  source: string
  line: number
  offset: number
  /** It goes on from the line before: one paragraph or list item. */
  continues: boolean
}

export interface AdrDocument {
  /** Without front matter. */
  text: string
  blocks: RootContent[]
  sections: Section[]
  title: { source: string; line: number; end: number } | null
  definitions: Definitions
  /** Lines of the file before `text`. */
  linesBefore: number
}

const kinds = byWord(sectionWords)
/** Below all levels of headings. */
const boldLevel = 7

export function readDocument(text: string, linesBefore: number): AdrDocument {
  const root = parseBlocks(text)
  const definitions = definitionsOf(root)
  const headings = headingsOf(root, text, definitions, linesBefore)
  const title = titleOf(headings, root, linesBefore)
  const sections = nest(title.heading ? headings.filter((heading) => heading !== title.heading) : headings, text.length)
  return { text, blocks: root.children, sections, title: title.found, definitions, linesBefore }
}

/** What a heading is about, if it says so: `## 2. Context and Problem Statement {#context}` is `context`. */
export function sectionKind(heading: string, level = 6): SectionKind | null {
  const plain = heading
    .replace(/\{#[^}]*\}\s*$/, '')
    .replace(/^\s*(?:\d+(?:\.\d+)*[.):]?|[ivx]+[.)])\s+/i, '')
    .trim()
  const shorter = [
    plain,
    plain.replace(/\s*[([（【].*$/u, ''),
    plain.split(/\s*[:：/|]|\s[-–—]\s/u)[0] ?? '',
    plain.replace(/^(?:appendix|annex|anhang|annexe)\s*\p{Lu}?\s*[:：.–—-]\s*/iu, ''),
  ]
  for (const candidate of shorter) {
    const found = kinds.get(wordKey(candidate))
    if (found) return found
  }
  const key = wordKey(shorter[2] ?? plain)
  if (
    /\bconsidered\b.{0,40}\b(?:options|alternatives)$/.test(key) ||
    /^.{1,40}\bconsidered (?:options|alternatives)$/.test(key)
  ) {
    return 'options'
  }
  if (/^(?:description|details?|analysis|evaluation|comparison|discussion)\b.{0,20}\boptions$/.test(key))
    return 'details'
  if (level <= 2 && /^\S+(?: \S+)? options$/.test(key)) return 'options'
  if (level <= 2 && /^(?:(?:the|our|this) )?\S+ decision$/.test(key)) return 'decision'
  return null
}

/** `Option 2: …`, `Proposal 1`, `Naming, option 3`: one of several that are weighed. */
export function isOptionHeading(heading: string): boolean {
  return optionPrefix.test(heading) || /\boption\s*[#№]?\s*\d{1,2}\b/i.test(heading)
}

/** Lines that stand between two offsets, with what lists, quotes and tables put around them taken off. */
export function unitsBetween(document: AdrDocument, start: number, end: number): Unit[] {
  const units: Unit[] = []
  for (const block of blocksIn(document, start, end)) {
    if (block.type !== 'heading') collectUnits(block, document.linesBefore, units)
  }
  return units
}

/** Those that stand between two offsets. They are in order: each section looks at its own, and not at all of the file. */
export function blocksIn({ blocks }: AdrDocument, start: number, end: number): RootContent[] {
  const first = firstFrom(blocks, (block) => span(block)[0] >= start)
  const found: RootContent[] = []
  for (let at = first; at < blocks.length; at++) {
    const block = blocks[at] as RootContent
    const [from, to] = span(block)
    if (from >= end) break
    if (to <= end) found.push(block)
  }
  return found
}

/** Those below it, of all levels. */
export function sectionsIn({ sections }: AdrDocument, section: Section): Section[] {
  const first = firstFrom(sections, ({ start }) => start > section.start)
  return sections.slice(
    first,
    firstFrom(sections, ({ start }) => start >= section.end),
  )
}

/** Of what is in order, the first of which something is so, which is then so of all behind it. */
function firstFrom<T>(all: readonly T[], isSo: (one: T) => boolean): number {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isSo(all[middle] as T)) high = middle
    else low = middle + 1
  }
  return low
}

export function span(node: Nodes): [number, number] {
  return [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0]
}

export function lineOf(node: Nodes, linesBefore: number): number {
  return (node.position?.start.line ?? 1) + linesBefore
}

function headingsOf(root: Root, text: string, definitions: Definitions, linesBefore: number): Section[] {
  const found: Section[] = []
  for (const block of root.children) {
    const source = headingSource(block)
    if (source === undefined) continue
    const heading = plainText(source, definitions)
    const level = block.type === 'heading' ? block.depth : boldLevel
    const kind = sectionKind(heading, level)
    // a line in bold is a heading only where it is one that we know
    if (block.type !== 'heading' && kind === null) continue
    const [start, bodyStart] = span(block)
    const line = lineOf(block, linesBefore)
    found.push({ kind, heading, level, line, start, bodyStart, end: text.length, parent: null })
  }
  // pros and cons of an option that was described above are no consequences of the decision
  const decided = found.findIndex(({ kind }) => kind === 'decision')
  for (const [at, heading] of found.entries()) {
    if (/^(?:pros|cons)$/i.test(heading.heading) && (decided < 0 || at < decided)) heading.kind = null
  }
  // beside real headings a bold line is emphasis
  const known = found.filter((heading) => heading.kind !== null && heading.level < boldLevel)
  return known.length < 2 ? found : found.filter((heading) => heading.level < boldLevel)
}

function headingSource(block: RootContent): string | undefined {
  if (block.type === 'heading') return sourceOf(block)
  if (block.type !== 'paragraph') return undefined
  const source = sourceOf(block).trim()
  if (source.length > 120 || source.includes('\n')) return undefined
  return /^(?:\*\*|__)[^*_]+(?:\*\*|__)\s*:?$/.test(source) || /^#{1,6}[^#\s]/.test(source)
    ? source.replace(/^#+|[*_]{2}|:$/g, '')
    : undefined
}

/** The first heading of the first level that is no section; else a heading that stands before everything. */
function titleOf(
  headings: readonly Section[],
  root: Root,
  linesBefore: number,
): { found: AdrDocument['title']; heading: Section | null } {
  const firstBlock = root.children.find((block) => block.type !== 'html' && block.type !== 'definition')
  const first = headings[0]
  // a first level after sections is no title: it came with something pasted in
  const known = headings.findIndex(({ kind, level }) => kind !== null && level > 1)
  const top = (known < 0 ? headings : headings.slice(0, known)).find(
    (heading) => heading.level === 1 && (heading.kind === null || isTitleAll(heading, headings)),
  )
  const opening = first?.kind === null && firstBlock && span(firstBlock)[0] === first.start ? first : undefined
  const chosen = top && (!opening || opening.level >= top.level || opening === top) ? top : opening
  if (
    chosen &&
    (chosen.level === 1 || headings.every((heading) => heading === chosen || heading.start > chosen.start))
  ) {
    return { found: { source: chosen.heading, line: chosen.line, end: chosen.bodyStart }, heading: chosen }
  }
  // `#46. Title`: no blank, so no heading to Markdown, yet meant as one
  if (firstBlock?.type === 'paragraph') {
    const source = sourceOf(firstBlock).trim()
    if (/^#[^#\s!/]/.test(source) && !source.includes('\n')) {
      const line = lineOf(firstBlock, linesBefore)
      return { found: { source: plainText(source.slice(1)), line, end: span(firstBlock)[1] }, heading: null }
    }
  }
  return { found: null, heading: null }
}

/** `# Context` above `## Status`: the one heading of its level, and first, is the title though it is a word we know. */
function isTitleAll(heading: Section, headings: readonly Section[]): boolean {
  return heading === headings[0] && headings.length > 1 && headings.filter(({ level }) => level === 1).length === 1
}

function nest(headings: Section[], end: number): Section[] {
  const open: Section[] = []
  for (const heading of headings) {
    while (open.length > 0 && (open.at(-1) as Section).level >= heading.level)
      (open.pop() as Section).end = heading.start
    heading.parent = open.at(-1) ?? null
    open.push(heading)
  }
  for (const section of open) section.end = end
  nameOptions(headings)
  liftDecision(headings)
  return headings
}

/** The only decision stands one level below the options, as if it were one of them: they end where it begins. */
function liftDecision(headings: readonly Section[]): void {
  const decisions = headings.filter(({ kind }) => kind === 'decision')
  const [decision] = decisions
  const options = decision?.parent
  if (!decision || decisions.length > 1 || !['options', 'details', 'option'].includes(options?.kind ?? '')) return
  for (const heading of headings) {
    if (options && heading.parent === options && heading.start >= decision.start) heading.parent = options.parent
  }
  if (options) options.end = decision.start
}

/** Two and more headings that count options make each of them one; what is said in a decision stays there. */
function nameOptions(headings: readonly Section[]): void {
  const counted = headings.filter(({ kind, heading }) => kind === null && isOptionHeading(heading))
  if (counted.length < 2) return
  for (const section of counted) {
    let around = section.parent
    while (around !== null && around.kind !== 'decision') around = around.parent
    if (around === null) section.kind = 'option'
  }
}

function collectUnits(node: Nodes, linesBefore: number, units: Unit[], depth = 0): void {
  if (depth > 20) return
  if (node.type === 'paragraph' || node.type === 'heading') {
    const offset = span(node)[0]
    const first = lineOf(node, linesBefore)
    for (const [at, line] of sourceOf(node).split('\n').entries()) {
      for (const [part, source] of line.split(/<br\s*\/?>/i).entries()) {
        if (source.trim() !== '') {
          units.push({ source: source.trim(), line: first + at, offset, continues: at > 0 && part === 0 })
        }
      }
    }
  } else if (node.type === 'table') collectRows(node, linesBefore, units)
  else if (node.type === 'blockquote' || node.type === 'list' || node.type === 'listItem') {
    for (const child of node.children) collectUnits(child, linesBefore, units, depth + 1)
  }
}

/** A table of two columns is `label: value` by row; one of a header and a single row is so by column. */
function collectRows(table: Table, linesBefore: number, units: Unit[]): void {
  const rows = table.children.map((row) => row.children.map((cell) => sourceOf(cell).trim()))
  const offset = span(table)[0]
  const [header = [], second] = rows
  const push = (label: string, value: string, line: number) => {
    if (label !== '' || value !== '') {
      units.push({ source: label === '' ? value : `${label}: ${value}`, line, offset, continues: false })
    }
  }
  if (rows.length === 2 && header.length > 2 && second) {
    for (const [at, label] of header.entries()) push(label, second[at] ?? '', lineOf(table, linesBefore) + 2)
    return
  }
  for (const [at, row] of table.children.entries()) {
    const [label = '', ...values] = rows[at] ?? []
    push(label, values.filter((value) => value !== '').join(', '), lineOf(row, linesBefore))
  }
}

/** Where the next section begins, one within this one too. */
export function ownEnd({ sections }: AdrDocument, section: Section): number {
  return sections[firstFrom(sections, ({ start }) => start > section.start)]?.start ?? section.end
}
