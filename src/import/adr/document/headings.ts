/** Finds the headings of a Markdown file, what each is about, and which one is the title. */
import type { Root, RootContent } from 'mdast'
import { byWord, optionPrefix, type SectionKind, sectionWords, wordKey } from './dictionary.ts'
import { type Definitions, lineOf, plainText, sourceOf, span } from './markdown.ts'
import { namedBelow } from './named-below.ts'

export interface Section {
  /** null: the heading is not in the dictionary. */
  kind: SectionKind | null
  /** As written, without Markdown. */
  heading: string
  level: number
  /** Line of the file, counted from 1. */
  line: number
  /** Offsets in the text: of the heading, of the text below it, and of the end of its last subsection. */
  start: number
  bodyStart: number
  end: number
  parent: Section | null
}

export interface Title {
  source: string
  line: number
  /** Offset in the text. */
  end: number
}

const kinds = byWord(sectionWords)
/** The level of a line in bold that is used as a heading: below all others. */
const boldLevel = 7

/** All headings in order, not yet nested. */
export function headingsOf(root: Root, text: string, definitions: Definitions, linesBefore: number): Section[] {
  const found: Section[] = []
  for (const block of root.children) {
    const source = headingSource(block)
    if (source === undefined) continue
    const heading = plainText(source, definitions)
    const level = block.type === 'heading' ? block.depth : boldLevel
    const kind = sectionKind(heading, level)
    // a line in bold is a heading only if its words are known
    if (block.type !== 'heading' && kind === null) continue
    const [start, bodyStart] = span(block)
    const line = lineOf(block, linesBefore)
    found.push({ kind, heading, level, line, start, bodyStart, end: text.length, parent: null })
  }
  // pros, cons and costs above the decision belong to an option. They are not consequences of the decision
  const decided = found.findIndex(({ kind }) => kind === 'decision')
  for (const [at, heading] of found.entries()) {
    if (/^(?:pros|cons|costs)$/i.test(heading.heading) && (decided < 0 || at < decided)) heading.kind = null
  }
  // if the file has real headings, lines in bold are only emphasis
  const known = found.filter((heading) => heading.kind !== null && heading.level < boldLevel)
  return known.length < 2 ? found : found.filter((heading) => heading.level < boldLevel)
}

/**
 * The title: the first heading of level 1 with unknown words, else a heading above everything else. If the front matter
 * has a title (`titled`), lower headings and those with known words begin sections.
 */
export function titleOf(
  headings: readonly Section[],
  root: Root,
  linesBefore: number,
  titled: boolean,
): { found: Title | null; heading: Section | null } {
  const firstBlock = root.children.find((block) => block.type !== 'html' && block.type !== 'definition')
  const first = headings[0]
  // a heading of level 1 below sections is not the title: it came with pasted text
  const known = headings.findIndex(({ kind, level }) => kind !== null && level > 1)
  // `## Title: Use one file`
  const named = titleLabel.exec(first?.heading ?? '')?.[1]
  if (first && named !== undefined)
    return { found: { source: named, line: first.line, end: first.bodyStart }, heading: first }
  const below = first && !titled ? namedBelow(first, root, linesBefore) : undefined
  if (first && below) return { found: below, heading: below.end === 0 ? null : first }
  // `# Context` above `# What we do`: the headings of level 1 are sections
  const sections = headings.filter(({ kind, level }) => level === 1 && kind !== null)
  const areSections = titled ? sections.length > 0 : sections.length > 2 && sections[0] === first
  const isSection = (heading: Section) => areSections && heading !== first
  const top = (known < 0 ? headings : headings.slice(0, known)).find(
    (heading) =>
      heading.level === 1 &&
      !isSection(heading) &&
      (heading.kind === null || (!titled && isTitleAll(heading, headings))),
  )
  const isFirst = first !== undefined && firstBlock !== undefined && span(firstBlock)[0] === first.start
  const opening = isFirst && first.kind === null && !(titled && first.level > 1) ? first : undefined
  const chosen = top && (!opening || opening.level >= top.level || opening === top) ? top : opening
  if (
    chosen &&
    (chosen.level === 1 || headings.every((heading) => heading === chosen || heading.start > chosen.start))
  ) {
    return { found: { source: chosen.heading, line: chosen.line, end: chosen.bodyStart }, heading: chosen }
  }
  // `## Proposal: use one file` without a title above it is a section, or around `### Approach` all of the record
  const proposed = isFirst && first.kind === 'proposal' ? /^\P{L}*\p{L}+\s*[:：]\s*(\S.*)$/su.exec(first.heading) : null
  if (first && proposed) {
    const isRecord = belowFirst(headings).some(({ kind }) => kind === 'decision' || kind === 'proposal')
    const found = { source: proposed[1] ?? '', line: first.line, end: isRecord ? first.bodyStart : first.start }
    return { found, heading: isRecord ? first : null }
  }
  // `#46. Title` is meant as a heading, but Markdown wants a space after `#`
  if (firstBlock?.type === 'paragraph') {
    const source = sourceOf(firstBlock).trim()
    if (/^#[^#\s!/]/.test(source) && !source.includes('\n')) {
      const line = lineOf(firstBlock, linesBefore)
      return { found: { source: plainText(source.slice(1)), line, end: span(firstBlock)[1] }, heading: null }
    }
  }
  return { found: null, heading: null }
}

/** The subsections of the first heading, of all levels. */
function belowFirst([first, ...others]: readonly Section[]): Section[] {
  const end = others.findIndex(({ level }) => level <= (first?.level ?? 0))
  return end < 0 ? others : others.slice(0, end)
}

const titleLabel = /^\P{L}*(?:title|titel|titre|t[ií]tulo|titolo|标题|タイトル|제목)\P{L}*?[:：]\P{L}*?\s+(\S.*)$/iu

/**
 * `# Context` above `## Status` is the title, although its word is known: it is the only heading of level 1. So is
 * `# Decision: use one file`.
 */
function isTitleAll(heading: Section, headings: readonly Section[]): boolean {
  if (heading !== headings[0] || headings.length < 2) return false
  const others = headings.slice(1)
  const isAlone = others.every(({ level }) => level > 1)
  const isNamed = /[:：]\s*\S/u.test(heading.heading) && others.some(({ kind, level }) => kind !== null && level === 2)
  return isAlone || isNamed
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

/** The kind of a heading: `context` for `## 2. Context and Problem Statement {#context}`. null: it is not known. */
export function sectionKind(heading: string, level = 6): SectionKind | null {
  const plain = heading
    .replace(/\{#[^}]*\}\s*$/, '')
    .replace(/^\s*(?:\d+(?:\.\d+)*[.):]?|[ivx]+[.)])\s+/i, '')
    .trim()
  const shorter = [
    plain,
    plain.replace(/\s*[([（【].*$/u, ''),
    plain.split(/\s*[:：/|]|\s[-–—]\s/u)[0] ?? '',
    // `Consequences, as first recorded`
    plain.split(/,\s+as\b/i)[0] ?? '',
    plain.replace(/^(?:appendix|annex|anhang|annexe)\s*\p{Lu}?\s*[:：.–—-]\s*/iu, ''),
  ]
  for (const candidate of shorter) {
    const found = kinds.get(wordKey(candidate))
    if (found) return found
  }
  if (isContextList(plain)) return 'context'
  // also in `Original decision (2026-01-31)`
  const key = wordKey((shorter[2] ?? plain).replace(/\s*[([（【].*$/u, ''))
  if (
    /\bconsidered\b.{0,40}\b(?:options|alternatives)$/.test(key) ||
    /^.{1,40}\bconsidered (?:options|alternatives)$/.test(key)
  ) {
    return 'options'
  }
  if (/^(?:description|details?|analysis|evaluation|comparison|discussion)\b.{0,20}\boptions$/.test(key))
    return 'details'
  // below a decision, `### Rejected ideas` is about its details
  if (level <= 2 && /^(?:\S+(?: \S+)? options|rejected (?:ideas|approaches))$/.test(key)) return 'options'
  if (ofDecision.test(key)) return 'decision'
  if (level <= 2 && /^(?:(?:the|our|this) )?\S+ decision$/.test(key)) return 'decision'
  return null
}

/** `Context, Reach & Prioritization`, but not `Problem and solution`, of which the second word is known too. */
function isContextList(heading: string): boolean {
  const [first = '', ...others] = heading.split(/\s*,\s*(?:and\s+)?|\s+(?:and|&|\+|und|et|y|e)\s+/i).map(wordKey)
  const isContext = /^(?:context|background|motivation|problem|kontext|hintergrund|contexte|contexto|antecedentes)$/
  return (
    others.length > 0 && isContext.test(first) && others.every((one) => (kinds.get(one) ?? 'context') === 'context')
  )
}

/** `Final Decision by the Team`, `Decision Outcome and Reason`, `Selected Approach`. */
const ofDecision =
  /^(?:(?:the |our )?(?:final |agreed |actual |team )?decision (?:by|of|from) (?:the |our )?\S+(?: \S+)?|decision(?: outcome)? (?:and|&|with|\+) (?:its |the |our )?(?:reasons?|reasoning|rationale|justification|motivation|explanation)|(?:the |our )?(?:selected|agreed|adopted|accepted|final)(?: upon)? (?:approach|solution|alternative|design|outcome|decision))$/

/** Whether a heading names one of several options: `Option 2: …`, `Proposal 1`, `Naming, option 3`. */
export function isOptionHeading(heading: string): boolean {
  return optionPrefix.test(heading) || /\boption\s*[#№]?\s*\d{1,2}\b/i.test(heading)
}

/** The nearest enclosing section with a known heading. */
export function nearestKnown(section: Section): Section | null {
  let parent = section.parent
  while (parent !== null && parent.kind === null) parent = parent.parent
  return parent
}
