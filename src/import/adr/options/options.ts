/** Reads the options that a record considered: their names and texts. */

import type { List, RootContent } from 'mdast'
import { announcesList } from '../document/announced.ts'
import { optionPrefix, wordKey } from '../document/dictionary.ts'
import { type AdrDocument, blocksIn, ownEnd, sectionsIn } from '../document/document.ts'
import { isOptionHeading, nearestKnown, type Section, sectionKind } from '../document/headings.ts'
import { isChosen, isJudged, withoutVerdict } from '../document/judged-options.ts'
import { joined, parseInline, plainText, sourceOf, span } from '../document/markdown.ts'
import { isArgument, isMarked, numberIn, type Option, optionKey, same, titleOf } from './names.ts'
import { isNumber, splitTitle } from './title.ts'

const mostOptions = 50
/** Options read from one section. Each is compared with all before it, so the work grows with the square. */
const mostNamed = 200
/** Sections about options that are read in one file. */
const mostSections = 20

/**
 * Reads all sections about options, about their pros and cons, and about single options. Returns each option once, in
 * the order of the text. `cut`: some were not read, because there are too many.
 */
export function readOptions(document: AdrDocument): { options: Option[]; cut: boolean } {
  const found: Option[] = []
  const kinds = document.sections.filter(({ kind }) => kind === 'options' || kind === 'details')
  const sections = new Set(kinds.slice(0, mostSections))
  const alone = document.sections.filter((section) => {
    const within = section.kind === 'option' ? nearestKnown(section)?.kind : 'options'
    return within !== 'options' && within !== 'details' && within !== 'option'
  })
  const apart = new Set(alone.slice(0, mostNamed))
  const described = document.sections.flatMap((section) => {
    if (section.kind === 'details' && sections.has(section)) return subsections(document, section)
    // its text is the decision
    if (isChosen(section)) return [{ ...optionOf(document, section), text: '' }]
    return apart.has(section) ? [optionOf(document, section)] : []
  })
  const details = described.slice(0, mostNamed)
  const detailed = new Set(details.map(({ title }) => optionKey(title)))
  let cut = kinds.length > mostSections || alone.length > mostNamed || described.length > mostNamed
  for (const section of sections) {
    if (section.kind !== 'options' || nearestKnown(section)?.kind === 'options') continue
    const named = optionsOf(document, section, detailed)
    cut ||= named.length > mostNamed
    for (const option of named.slice(0, mostNamed)) addListed(found, option)
  }
  if (found.length === 0 && details.length === 0) {
    const announced = listsAnnounced(document).slice(0, mostNamed)
    for (const option of announced) addListed(found, option)
  }
  const listed = found.length
  const judged = details.filter(({ title }) => isJudged(title))
  for (const option of details) {
    const isOther = isOptionHeading(option.title) || isJudged(option.title)
    // as many are judged as were listed: in the same order, if the words differ
    const inOrder = judged.length === listed ? found[judged.indexOf(option)] : undefined
    addDetailed(found, option, listed > 1 && !isOther, inOrder)
  }
  return { options: found.slice(0, mostOptions), cut: cut || found.length > mostOptions }
}

/** Options of a list below “We evaluated the following options:”, in a section with another heading. */
function listsAnnounced(document: AdrDocument): Option[] {
  return document.blocks.flatMap((block, at) => {
    const above = document.blocks[at - 1]
    const said = block.type === 'list' && above?.type === 'paragraph' ? sourceOf(above) : ''
    if (!announcesList(said)) return []
    const options = listedIn(document, ...span(block))
    return options.length > 1 ? options : []
  })
}

function addListed(found: Option[], option: Option): void {
  const before = same(found, option, false)
  if (before) before.text = joined(before.text, option.text)
  else if (option.title !== '') found.push({ ...option })
}

/** Adds text about an option. `complete`: a list named all options, so another heading belongs to the last one. */
function addDetailed(found: Option[], judged: Option, complete: boolean, inOrder: Option | undefined): void {
  const option = isMarked(judged) ? judged : { ...judged, title: withoutVerdict(judged.title) }
  const about = mentioned(option.title)
  const named = about === undefined ? same(found, option, true) : found.find(({ number }) => number === about)
  const before = named ?? inOrder
  const into = before ?? (complete || about !== undefined ? found.at(-1) : undefined)
  if (before && isMarked(option) && !isMarked(before)) before.title = option.title
  if (into) into.text = joined(into.text, before ? option.text : `${option.title}\n\n${option.text}`)
  else if (option.title !== '') found.push({ ...option })
}

/** Example: `Signatures for option 3` is more text about the third option. */
function mentioned(title: string): number | undefined {
  const match = /\b(?:for|of|on|in|to)\s+option\s*[#№]?\s*(\d{1,2})\b/i.exec(title)
  return match ? Number(match[1]) : undefined
}

function optionsOf(document: AdrDocument, section: Section, detailed: ReadonlySet<string>): Option[] {
  const below = subsections(document, section).filter((option) => sectionKind(option.title) === null)
  const all = listedIn(document, section.bodyStart, section.end)
  if (below.length === 0) return boldParagraphs(document, section) ?? firstLists(document, section)
  // the subsections only group lists, and a later section has the details
  if (all.some(({ title }) => detailed.has(optionKey(title)))) return all
  // a list above the subsections names the same options, and perhaps more
  const listed = listedIn(document, section.bodyStart, ownEnd(document, section))
  const others = listed.filter((option) => !same(below, option, true))
  // as many items as subsections, and one has the same name: the other names only differ in wording
  if (listed.length === below.length && listed.some((option) => same(below, option, false))) return below
  if (others.length < listed.length) return [...below, ...others]
  const groups = document.sections.filter(({ parent }) => parent === section).map((group) => optionOf(document, group))
  if (groups.length > 1 && groups.length === listed.length && listed.every((option) => same(groups, option, true)))
    return below
  // a list of options above subsections about something else, such as an example
  return listed.length > 1 && !below.some(({ title }) => isOptionHeading(title)) ? listed : below
}

/** Options from the subsections: the numbered ones if there are any, else those of the highest level. */
function subsections(document: AdrDocument, section: Section): Option[] {
  const below = sectionsIn(document, section).filter(({ end }) => end <= section.end)
  const named = below.filter(({ heading }) => !isArgument(heading))
  const top = named.reduce((least, { level }) => Math.min(least, level), Number.POSITIVE_INFINITY)
  const counted = named.filter(
    ({ level, heading }) => optionPrefix.test(heading) || (level === top && isOptionHeading(heading)),
  )
  const starts = (counted.length > 0 ? counted : ungrouped(document, named, top)).slice(0, mostNamed + 1)
  return starts.reduce<Option[]>((options, one, at) => {
    const next = starts[at + 1]?.start ?? one.end
    const option = optionOf(document, one, next)
    const last = options.at(-1)
    // `2b. Same as option 2, but …` belongs to option 2
    if (last && /^\d{1,2}[a-z][.):]\s/.test(one.heading))
      last.text = joined(last.text, `${one.heading}\n\n${option.text}`)
    else options.push(option)
    return options
  }, [])
}

/** If the subsections are groups without text of their own, returns the sections in them. */
function ungrouped(document: AdrDocument, below: readonly Section[], top: number): Section[] {
  const groups = below.filter(({ level }) => level === top)
  const inside = groups.map((group) =>
    sectionsIn(document, group).filter(({ parent, heading }) => parent === group && !isArgument(heading)),
  )
  const silent = groups.every((group, at) => {
    const first = inside[at]?.[0]
    return first !== undefined && document.text.slice(group.bodyStart, first.start).trim() === ''
  })
  const names = inside.flat().map(({ heading }) => wordKey(heading))
  return groups.length > 1 && silent && new Set(names).size === names.length ? inside.flat() : groups
}

function optionOf(document: AdrDocument, section: Section, next = section.end): Option {
  const text = document.text.slice(section.bodyStart, Math.min(section.end, next)).trim()
  return { title: titleOf(section.heading), number: numberIn(section.heading), text }
}

/** Options written as paragraphs that begin with `**1. Title**`, each with the text up to the next one. */
function boldParagraphs(document: AdrDocument, section: Section): Option[] | undefined {
  const leads = blocksIn(document, section.bodyStart, section.end).flatMap((block) => {
    const [from, to] = span(block)
    if (block.type !== 'paragraph') return []
    const title = /^(?:\*\*|__)\s*(\d{1,2}[.)]\s*.+?)\s*(?:\*\*|__)/su.exec(document.text.slice(from, to))
    return title ? [{ from, title: title[1] ?? '', after: from + title[0].length }] : []
  })
  if (leads.length < 2) return undefined
  return leads.map(({ title, after }, at) => ({
    title: titleOf(plainText(title, document.definitions)),
    number: numberIn(title),
    text: document.text.slice(after, leads[at + 1]?.from ?? section.end).trim(),
  }))
}

/** Options from lists, up to the first table or code block. If the first list has numbered options, only from it. */
function firstLists(document: AdrDocument, section: Section): Option[] {
  const blocks = blocksIn(document, section.bodyStart, section.end)
  const stop = blocks.findIndex(({ type }) => type === 'table' || type === 'code')
  const lists = (stop < 0 ? blocks : blocks.slice(0, stop)).filter((block) => isListOfOptions(document, block))
  const [first] = lists
  if (!first) return []
  const options = listedIn(document, ...span(first))
  const counted = options.some(({ title }) => optionPrefix.test(title))
  return counted ? options : lists.flatMap((list) => listedIn(document, ...span(list)))
}

/** The top items of the lists between two offsets. Nested items are part of the item's text. */
function listedIn(document: AdrDocument, start: number, end: number): Option[] {
  const lists = blocksIn(document, start, end).filter((block) => isListOfOptions(document, block))
  const items = lists.flatMap((list) => list.children.map((item, at) => ({ list, item, at })))
  // one more than the limit, so that the caller sees that there are too many
  return items.slice(0, mostNamed + 1).flatMap(({ list, item, at }) => {
    const option = optionOfItem(document, item.children as RootContent[])
    const prefix = optionPrefix.exec(option.title)?.[0]
    const number = list.ordered ? (list.start ?? 1) + at : numberIn(prefix ?? '')
    return isArgument(option.title) ? [] : [{ ...option, number }]
  })
}

/** A list below `### Pros` or `**Cons:**` is none. */
function isListOfOptions(document: AdrDocument, block: RootContent): block is List {
  if (block.type !== 'list') return false
  const [start] = span(block)
  const around = document.sections.findLast((section) => section.start < start && section.end > start)
  const above = blocksIn(document, around?.bodyStart ?? 0, start).at(-1)
  const label = above?.type === 'paragraph' ? plainText(sourceOf(above), document.definitions) : ''
  return !isArgument(around?.heading ?? '') && !isArgument(label)
}

/** `**Title** - text`, `[Title](url): text`, or a title with its text below it. */
function optionOfItem(document: AdrDocument, children: RootContent[]): Omit<Option, 'number'> {
  const [first, ...rest] = children
  const source = first ? sourceOf(first) : ''
  const below = rest.map((block) => document.text.slice(...span(block)).trim())
  const bold = /^\s*(?:\*\*|__)(.+?)(?:\*\*|__)\s*[:：–—-]?\s*(.*)$/su.exec(source)
  const plain = parseInline(source, document.definitions).plain
  const parts =
    bold && !isNumber(bold[1] ?? '')
      ? [plainText(bold[1] ?? '', document.definitions), (bold[2] ?? '').trim()]
      : splitTitle(plain)
  return { title: titleOf(parts[0] ?? ''), text: joined((parts[1] ?? '').replace(/^[,;]\s+/, ''), ...below) }
}
