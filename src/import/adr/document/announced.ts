/** Finds options that no heading announces as such, but a sentence above them: “There are several ways to cross:”. */
import { type AdrDocument, blocksIn, sectionsIn } from './document.ts'
import type { Section } from './headings.ts'
import { plainText, sourceOf, span } from './markdown.ts'

const things = '(?:options|alternatives|approaches|solutions|candidates|possibilities|variants)'
const weighed =
  '(?:evaluated|considered|compared|examined|reviewed|assessed|discussed|explored|investigated|looked (?:at|into))'
const announcing = new RegExp(
  `\\b(?:we|the team) (?:have )?${weighed}\\b[^.:]{0,60}\\b${things}\\b|\\b${things}\\b[^.:]{0,40}\\b(?:were|are|have been) ${weighed}\\b`,
  'i',
)
const ways = new RegExp(
  `\\bthere (?:are|were) (?:a (?:number|couple|range|variety) of|a few|some|several|many|multiple|various|different|two|three|four|five|six|\\d)(?: (?:possible|different|viable|main|other))? (?:ways|${things.slice(3)}\\b`,
  'i',
)

/** Of a paragraph above a list of options. */
export const announcesList = (paragraph: string): boolean =>
  paragraph.length < mostCharacters && /[:：][*_]*\s*$/.test(paragraph) && announcing.test(plainText(paragraph))

/** A longer paragraph does more than announce options. */
const mostCharacters = 300
const mostSections = 50
const mayAnnounce: ReadonlySet<Section['kind']> = new Set(['context', null])

/**
 * Names the subsections that are options: those of a context that ends with such a sentence, and those of “Proposals” of
 * which each has its own pros and cons. Not in a record that has headings for its options.
 */
export function nameAnnounced(document: AdrDocument): void {
  if (document.sections.some(({ kind }) => kind === 'options' || kind === 'details' || kind === 'option')) return
  for (const section of document.sections.slice(0, mostSections)) {
    const below = document.sections.filter(({ parent }) => parent === section)
    const areUnknown = below.length > 1 && below.every(({ kind, level }) => kind === null && level === below[0]?.level)
    if (!areUnknown) continue
    if (mayAnnounce.has(section.kind)) {
      const above = blocksIn(document, section.bodyStart, below[0]?.start ?? section.end).at(-1)
      const said = above?.type === 'paragraph' ? plainText(sourceOf(above)) : ''
      const announces = announcing.test(said) || ways.test(said)
      if (said.length < mostCharacters && announces) for (const one of below) one.kind = 'option'
    } else if (section.kind === 'proposal' && isPlural.test(section.heading)) {
      const weighed = below.filter((one) => hasProsAndCons(document, one))
      if (weighed.length > 1 && weighed.length >= below.length - 1) section.kind = 'options'
    }
  }
}

const isPlural = /^\P{L}*(?:(?:proposed|possible) )?(?:proposals|solutions|approaches|recommendations)\P{L}*$/iu
const argument = /^\P{L}*(?:pros?|cons?|advantages|disadvantages|benefits|drawbacks|upsides?|downsides?)\P{L}*$/iu

function hasProsAndCons(document: AdrDocument, section: Section): boolean {
  const headings = sectionsIn(document, section).map(({ heading }) => heading)
  const paragraphs = blocksIn(document, section.bodyStart, section.end).flatMap((block) =>
    block.type === 'paragraph' && span(block)[1] - span(block)[0] < 40 ? [plainText(sourceOf(block))] : [],
  )
  const found = [...headings, ...paragraphs].filter((text) => argument.test(text)).map((text) => text.toLowerCase())
  return new Set(found).size > 1
}
