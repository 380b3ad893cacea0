/** Splits one Markdown file into its title and its sections. */
import type { RootContent } from 'mdast'
import { headingsOf, isOptionHeading, type Section, type Title, titleOf } from './headings.ts'
import { nameJudged, nameSelected, nameTicked } from './judged-options.ts'
import { type Definitions, definitionsOf, parseBlocks, span } from './markdown.ts'

export interface AdrDocument {
  /** Without front matter. */
  text: string
  blocks: RootContent[]
  sections: Section[]
  title: Title | null
  definitions: Definitions
  /** The number of lines of the file before `text`. */
  linesBefore: number
}

/** `titled`: the front matter has a title. */
export function readDocument(text: string, linesBefore: number, titled = false): AdrDocument {
  const root = parseBlocks(text)
  const definitions = definitionsOf(root)
  const headings = headingsOf(root, text, definitions, linesBefore)
  const title = titleOf(headings, root, linesBefore, titled)
  const sections = nest(title.heading ? headings.filter((heading) => heading !== title.heading) : headings, text.length)
  return { text, blocks: root.children, sections, title: title.found, definitions, linesBefore }
}

/** The blocks between two offsets. A binary search, because every section of a long file asks. */
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

/** Its subsections, of all levels. */
export function sectionsIn({ sections }: AdrDocument, section: Section): Section[] {
  const first = firstFrom(sections, ({ start }) => start > section.start)
  return sections.slice(
    first,
    firstFrom(sections, ({ start }) => start >= section.end),
  )
}

/** The offset where the next section or subsection begins. */
export function ownEnd({ sections }: AdrDocument, section: Section): number {
  return sections[firstFrom(sections, ({ start }) => start > section.start)]?.start ?? section.end
}

/** Binary search: the index of the first element with a property that all elements after it have too. */
function firstFrom<T>(all: readonly T[], isSo: (one: T) => boolean): number {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isSo(all[middle] as T)) high = middle
    else low = middle + 1
  }
  return low
}

/** Sections of which one may not be inside another. */
const main: ReadonlySet<Section['kind']> = new Set(['status', 'context', 'decision', 'consequences'])

/** `# Context` above `## Decision` is no section around it. */
function lowerSections(headings: readonly Section[]): void {
  for (const [at, heading] of headings.entries()) {
    if (heading.level !== 1 || !main.has(heading.kind)) continue
    const rest = headings.slice(at + 1)
    const next = rest.findIndex(({ level }) => level === 1)
    const inside = next < 0 ? rest : rest.slice(0, next)
    if (inside.some(({ level, kind }) => level === 2 && main.has(kind))) heading.level = 2
  }
}

function nest(headings: Section[], end: number): Section[] {
  lowerSections(headings)
  const open: Section[] = []
  for (const heading of headings) {
    while (open.length > 0 && (open.at(-1) as Section).level >= heading.level)
      (open.pop() as Section).end = heading.start
    heading.parent = open.at(-1) ?? null
    open.push(heading)
  }
  for (const section of open) section.end = end
  liftSections(headings)
  nameOptions(headings)
  nameJudged(headings)
  nameSelected(headings)
  nameTicked(headings)
  liftDecision(headings)
  return headings
}

/**
 * `#### Context` below `### Status` is no part of the status: a section of metadata ends where another section begins,
 * and so do the rest of its subsections. `## Proposal: use one file` around `### Context` and `### Decision` ends too.
 */
function liftSections(headings: readonly Section[]): void {
  const ended = new Set<Section>()
  const deciding = new Set(headings.flatMap(({ kind, parent }) => (kind === 'decision' && parent ? [parent] : [])))
  for (const heading of headings) {
    const around = heading.parent
    if (around === null) continue
    const isRecord = around.kind === 'proposal' && deciding.has(around)
    if (!isRecord && !metadataKinds.has(around.kind)) continue
    const isSection = isRecord
      ? main.has(heading.kind)
      : heading.kind !== around.kind &&
        !besideMetadata.has(heading.kind) &&
        (around.kind !== 'metadata' || !metadataKinds.has(heading.kind))
    if (!ended.has(around) && !isSection) continue
    if (!ended.has(around)) {
      ended.add(around)
      around.end = heading.start
    }
    heading.parent = around.parent
  }
}

const metadataKinds: ReadonlySet<Section['kind']> = new Set(['status', 'date', 'deciders', 'metadata'])
/** Sections that may be a part of the metadata. */
const besideMetadata: ReadonlySet<Section['kind']> = new Set<Section['kind']>([
  null,
  'links',
  'history',
  'aside',
  'outcome',
  'metadata',
  'option',
])

/** If the only decision is a subsection of the options, ends the options where the decision begins. */
export function liftDecision(headings: readonly Section[]): void {
  const decisions = headings.filter(({ kind }) => kind === 'decision')
  const [decision] = decisions
  const options = decision?.parent
  if (!decision || decisions.length > 1 || !['options', 'details', 'option'].includes(options?.kind ?? '')) return
  for (const heading of headings) {
    if (options && heading.parent === options && heading.start >= decision.start) heading.parent = options.parent
  }
  if (options) options.end = decision.start
}

/** Marks numbered options, if there are at least two. Options inside the decision stay part of it. */
function nameOptions(headings: readonly Section[]): void {
  const counted = headings.filter(({ kind, heading }) => kind === null && isOptionHeading(heading))
  if (counted.length < 2) return
  for (const section of counted) {
    let around = section.parent
    while (around !== null && around.kind !== 'decision') around = around.parent
    if (around === null) section.kind = 'option'
  }
}
