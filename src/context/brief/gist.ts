/** What a text says in a line: its own first sentences, without the signs of Markdown. */
import { type Sentence, sentencesOf } from '../../questions/sentences.ts'
import { cut } from '../../records/title.ts'
import { oneLine } from './in-line.ts'
import { plainText } from './plain-text.ts'

/** A gist is drawn from so much of a text, in UTF-16 units. */
const mostLooked = 4_000
/** A sentence that would go beyond the length by no more than this is still told whole. */
const overhang = 80

/** About `length` characters: whole sentences, of which the first is cut where it alone is too long. */
export function gistOf(text: string, length: number): string {
  const looked = text.slice(0, mostLooked)
  const sentences = fromItsPoint(sentencesOf(plainText(looked)).filter(isTelling))
  let gist = ''
  let told = 0
  for (; told < sentences.length && gist.length < length; told++) {
    const { text: sentence, isItem } = sentences[told] as Sentence
    const next = joined(gist, oneLine(sentence), isItem)
    if (gist !== '' && next.length > length + overhang) break
    gist = next
  }
  const isCutList = sentences[told - 1]?.isItem && sentences[told]?.isItem && isOpen(gist)
  if (isCutList) return `${cut(gist.replace(/[;,]$/, ''), length + overhang)}; …`
  return cut(announced(gist) || oneLine(looked), length + overhang)
}

function isTelling({ isHeading, text }: Sentence): boolean {
  return !isHeading && !pointer.test(text) && !label.test(text)
}

/** A sentence that says nothing but where more is told. */
const pointer = /\b(?:see|refer to|found|details|documented|described|read more) (?:\w+ )?(?:here|above|below)[.:]?$/i

/** A word that heads a list, such as “Pros”. */
const label = /^\W*[\p{L}-]+\W*$/u

/** Where it begins with what was weighed, and says later what was chosen, from there on. */
function fromItsPoint(sentences: readonly Sentence[]): readonly Sentence[] {
  if (!weighing.test(sentences[0]?.own ?? '') || choosing.test(sentences[0]?.own ?? '')) return sentences
  const point = sentences.findIndex(({ own }) => choosing.test(own))
  return point < 0 ? sentences : sentences.slice(point)
}

const weighing =
  /\b(?:discussed|considered|evaluated|compared|weighed|looked at|investigated)\b|\b(?:options|alternatives|approaches|possibilities)\b/i
const choosing =
  /\b(?:we(?:'ve|’ve| have)? (?:decided (?:to|on|that)|chosen?|chose|opted|agreed|settled)|(?:is|was|been|one we(?:'ve|’ve| have)) chosen|chosen option|decision (?:is|was) to)\b/i

/** Without a last sentence that only leads to what was left out. */
function announced(gist: string): string {
  const last = /(?<=[.!?]["'”’)]*)\s[^.!?]*:$/.exec(gist)
  return last ? gist.slice(0, last.index) : gist
}

/** Items of a list follow each other behind semicolons; what leads to a list goes on in its first item. */
function joined(gist: string, sentence: string, isItem: boolean): string {
  if (gist === '') return sentence
  const goesOn = !isOpen(gist) || /[:;…]$/.test(gist) || (isItem && leading.test(gist))
  if (goesOn) return `${gist} ${sentence}`
  return `${gist}${isItem ? ';' : '.'} ${sentence}`
}

const leading = /\b(?:because|since|that|to|and|or|for)$/i

/** Its last sentence has no end of its own. */
function isOpen(gist: string): boolean {
  return !/[.!?。！？]["'”’»)]*$/.test(gist)
}
