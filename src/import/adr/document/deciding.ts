/** Finds sentences that say what was decided. */
import { type AdrDocument, blocksIn, sectionsIn } from './document.ts'
import { isOptionHeading, type Section } from './headings.ts'
import { joined, plainText, sourceOf, span } from './markdown.ts'

const opening =
  '(?:(?:so|thus|hence|therefore|finally|ultimately|eventually|in the end|as a result|consequently|for (?:this|these|that) reasons?|after [^.,\\n]{3,80}|based on [^.,\\n]{3,80})\\s*,?\\s+)?'
const verbs =
  "(?:have |'ve |’ve )?(?:also |therefore |thus |hence |finally )*(?:decided|chose|chosen|opted|agreed)\\s+(?:to|on|upon|for|that|the|in favou?r of|against|not to)\\s"
const sentence = new RegExp(`(?:^|[.!?]\\s{1,4}|\\n)[\\s>*_-]{0,20}${opening}we ${verbs}`, 'i')

/** A sentence that begins with “We decided to …”, not one that tells of it in passing: “When we moved, we decided …”. */
export function saysWhatWasDecided(text: string): boolean {
  return sentence.test(text)
}

/**
 * The paragraphs “We decided …” of a decision section that first compares options, each with a heading. Empty: it does
 * not, or it says in its first lines what was decided.
 */
export function decidingIn(document: AdrDocument, section: Section): string {
  const children = sectionsIn(document, section).filter(({ parent }) => parent === section)
  const isCompared = children.some(({ kind, heading }) => kind === 'option' || isOptionHeading(heading))
  const lead = document.text.slice(section.bodyStart, children[0]?.start)
  if (!isCompared || lead.trim() !== '') return ''
  const said = blocksIn(document, section.bodyStart, section.end).filter(
    (block) => block.type === 'paragraph' && saysWhatWasDecided(plainText(sourceOf(block))),
  )
  return joined(...said.map((block) => document.text.slice(...span(block))))
}
