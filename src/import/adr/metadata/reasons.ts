/** Tells reasons from the decision and from the status that they are written in. */
import type { RootContent } from 'mdast'
import { joined, parseBlocks, plainText, span } from '../document/markdown.ts'

/** `Main drivers for this decision have been:`, `Reasons:`, at the beginning of a paragraph. */
const label = new RegExp(
  `^(?:${[
    '(?:the |our |some (?:of the )?)?(?:main|major|key|primary|principal|chief|important|decisive|most important) (?:decision )?(?:drivers?|reasons?|motivations?|arguments?)\\b',
    '(?:the |our |some )?(?:reasons?|drivers?|motivation|arguments?) (?:for|behind|of) (?:this|that|the|our) (?:decision|choice|move|change)\\b',
    '(?:the )?(?:reasons?|reasoning|decision drivers?)(?= (?:are|is|were|was|have been)|:)',
  ].join('|')})[^.:;?!\\n]{0,80}:(?=\\s|$)`,
  'i',
)
/** A paragraph behind reasons that decides something more. */
const decides =
  /\bwe(?:['’]ll)? (?:will|shall|have|decided?|chose|choose|also|therefore|thus|adopt|use|are going)\b|\bdecided\b|:\s*$/i

/**
 * A text that says what was decided and, below a label such as `Main reasons:`, why. Paragraphs behind the list of reasons
 * belong to them until one decides something more. `reasons` is empty if there are none, or if nothing else is left.
 */
export function splitReasons(text: string): { decision: string; reasons: string } {
  const whole = { decision: text, reasons: '' }
  if (!/(?:reason|driver|motivation|argument)/i.test(text)) return whole
  const blocks = parseBlocks(text).children
  const source = (block: RootContent) => text.slice(...span(block))
  const first = blocks.findIndex((block) => block.type === 'paragraph' && label.test(source(block)))
  const labelled = blocks[first]
  if (labelled === undefined) return whole
  let next = first + 1
  if (label.exec(source(labelled))?.[0].length === source(labelled).trimEnd().length) {
    const type = blocks[next]?.type
    if (type !== 'list' && type !== 'paragraph') return whole
    next++
  }
  for (let block = blocks[next]; block?.type === 'paragraph' && !decides.test(source(block)); block = blocks[next])
    next++
  const [from, to] = [
    span(labelled)[0],
    blocks[next] === undefined ? text.length : span(blocks[next] as RootContent)[0],
  ]
  const decision = joined(text.slice(0, from).trim(), text.slice(to).trim())
  const isLeft = /\p{L}/u.test(decision.replace(/^#.*$/gm, ''))
  return isLeft ? { decision, reasons: text.slice(from, to).trim() } : whole
}

/**
 * Whether the remark beside a status is a reason: it says why, or more than a word beside the link behind a rejected or
 * deprecated status. `Accepted (lazy consensus), implemented` is none.
 */
export function isReasonOfStatus(remark: string, status: string | undefined): boolean {
  const lines = remark.split('\n')
  // a later line may tell anything, with a reason of its own
  if (because.test(lines[0] ?? '') || lines.some((line) => beginsWithBecause.test(line))) return true
  if (status !== 'rejected' && status !== 'deprecated') return false
  const rest = plainText(remark.replace(/\[[^[\]]*\]\([^()]*\)/g, ' ')).replace(/^[^\p{L}]*\p{L}+/u, '')
  return (rest.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) > fewWords
}

/** `(see [ADR 5](…))` says nothing more. */
const fewWords = 2

const beginsWithBecause = /^\W*(?:because|due to|owing to|weil|parce que|porque)\b/i
const because =
  /\b(?:because|since (?!v?\d)|due to|owing to|so that|as it|as they|as we|in order to|weil|denn|aufgrund|damit|parce que|afin de|puisque|porque|ya que|debido)\b|因为|由于|ため|ので|により|때문/i
