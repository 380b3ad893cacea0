/** Finds the English questions that a text asks and does not answer itself (reason explicit_question). */

import { type Sentence, sentencesOf } from '../../text/sentences.ts'
import { asksAboutPronoun, headingOf, inContext } from './in-context.ts'
import { type ExplicitQuestion, openStatementIn, openWords } from './open-statements.ts'

/** Questions taken from one record. */
const mostExplicitQuestions = 5
/** UTF-16 units. A longer sentence is usually a story with a question mark at its end. */
const longest = 300

interface ShownExplicitQuestion extends ExplicitQuestion {
  /**
   * The whole sentence, after the heading that it stands under: a person must understand it without the record. If it asks
   * about “them” and there is no heading: after the sentence before it, or after the title.
   */
  shown: string
}

/** In the order of the text. `title`: of the record whose text it is. */
export function explicitQuestionsIn(text: string, title: string): ShownExplicitQuestion[] {
  const sentences = sentencesOf(text)
  const found = new Map<string, ShownExplicitQuestion>()
  for (const [at, sentence] of sentences.entries()) {
    if (found.size === mostExplicitQuestions) break
    const candidate = questionIn(sentence, at, sentences)
    if (candidate === undefined) continue
    const question = withoutUnopenedSigns(candidate.question)
    if (question.length > longest || found.has(question)) continue
    found.set(question, {
      question,
      passage: candidate.passage,
      shown: shownOf(question, at, sentences, { title, text }),
    })
  }
  return [...found.values()]
}

function shownOf(
  question: string,
  at: number,
  all: readonly Sentence[],
  record: { title: string; text: string },
): string {
  const heading = headingOf(at, all)
  const sentence = withoutUnopenedSigns((all[at] as Sentence).text)
  if (heading !== undefined) return `${heading}: ${sentence}`
  return asksAboutPronoun(question) ? withoutUnopenedSigns(inContext(at, all, record)) : sentence
}

function questionIn(sentence: Sentence, at: number, all: readonly Sentence[]): ExplicitQuestion | undefined {
  if (sentence.isHeading) return undefined
  const { text } = sentence
  if (isIndirect(sentence, at, all)) return isAnswered(at, all) ? undefined : { question: text, passage: text }
  if (!isQuestion(sentence)) return isWeighed(sentence, at, all) ? undefined : openStatementIn(sentence)
  const marked = afterMark(sentence)
  if (marked !== undefined) return isAnswered(at, all) ? undefined : marked
  if (isListed(sentence, at, all))
    return !sentence.isCell && isAnswered(at, all) ? undefined : { question: text, passage: text }
  return isLeftOpen(sentence, at, all) ? withoutMention(text) : undefined
}

/** “It is not clear how close to real time it is” among options is a reason against one of them. */
function isWeighed({ own }: Sentence, at: number, all: readonly Sentence[]): boolean {
  if (!/\b(?:unclear|not (?:yet )?clear)\b/i.test(own)) return false
  return /\b(?:options?|alternatives?|pros|cons|out of scope)\b/i.test(headingOf(at, all) ?? '')
}

/** Without the mention, as in “@Marta, who signs?”. “@Marta we ship in May, who signs?” also states something. */
function withoutMention(text: string): ExplicitQuestion {
  const question = text.replace(/^@\p{L}[\p{L}\p{N}._-]*[,:]?\s+/u, '')
  return { question, passage: questionOpening.test(question) ? text : question }
}

/** Removes a closing bracket or emphasis sign that was opened before the question. */
function withoutUnopenedSigns(question: string): string {
  const words = question.replace(/[\s)\]*_]+$/, '')
  let end = words.length
  while (end < question.length && isOpenedIn(question.slice(0, end), question[end] as string)) end++
  return question.slice(0, end).trimEnd()
}

function isOpenedIn(words: string, end: string): boolean {
  const times = (sign: string) => words.split(sign).length - 1
  const begin = { ')': '(', ']': '[' }[end]
  return begin === undefined ? times(end) % 2 === 1 : times(begin) > times(end)
}

/**
 * Whether the sentence, without its quotations, ends with a question mark. Reads from the end, because a pattern would
 * take quadratic time on a long run of signs.
 */
function isQuestion({ own }: Sentence): boolean {
  let end = own.length
  while (end > 0 && endSign.test(own[end - 1] as string)) end--
  return own.slice(end).includes('?') || own[end - 1] === '？'
}
const endSign = /[\s?!*_)]/

const mark = new RegExp(`(?:^\\W*(?:an?|the|one|another|my|our) )?(?<![\\p{L}\\p{N}])(?:${openWords})\\s*:\\s*`, 'iu')

function afterMark({ text, own }: Sentence): ExplicitQuestion | undefined {
  const found = mark.exec(own)
  // “survey question: …” is a question for other people
  if (
    !found ||
    /\b(?:survey|quiz|exam|interview|form|prompt|trick|security|faq)\W*$/i.test(own.slice(0, found.index))
  ) {
    return undefined
  }
  const question = text.slice(found.index + found[0].length).trim()
  return question === '' ? undefined : { question, passage: text.slice(found.index) }
}

/** An item of a list whose introduction or heading says that the items are open. */
function isListed(sentence: Sentence, at: number, all: readonly Sentence[]): boolean {
  return sentence.isItem && (sentence.isLastOfLine || sentence.isCell) && openLead.test(introductionOf(at, all))
}
const openLead =
  /\b(?:questions?|open|unresolved|unclear|undecided|to (?:be )?(?:decide|clarify|discuss|ask)|did not get to|didn't get to|not done)\b/i

/** “which valve do we buy” as an item below “Still open:”. */
function isIndirect(sentence: Sentence, at: number, all: readonly Sentence[]): boolean {
  if (!sentence.isItem || !sentence.isLastOfLine || isQuestion(sentence) || !indirect.test(sentence.own)) return false
  return openList.test(introductionOf(at, all))
}
const indirect = /^\W*(?:whether|who|whom|whose|which|what|why|how|(?:when|where)(?![^,]*,))\b(?!['’]s\b)[^:;]*$/i
const openList = new RegExp(`^\\W*(?:${openWords})\\W*$`, 'iu')

/** The heading or sentence directly before the list of an item. Empty: there is none. */
function introductionOf(at: number, all: readonly Sentence[]): string {
  const { paragraph } = all[at] as Sentence
  return all.slice(0, at).findLast((one) => !one.isItem && one.paragraph >= paragraph - 1)?.text ?? ''
}

/** A question at the end of the text, alone or among others, that asks someone and has no answer after it. */
function isLeftOpen(sentence: Sentence, at: number, all: readonly Sentence[]): boolean {
  if (sentence.isItem || !questionOpening.test(sentence.own) || isRhetorical(sentence.own)) return false
  // later paragraphs may contain the answer
  if (all.some((one) => one.paragraph > sentence.paragraph && !one.isHeading)) return false
  const from = all.slice(0, at).findLastIndex((one) => !isQuestion(one))
  if (all.slice(Math.max(0, from), at + 1).some(({ own }) => asksOthers.test(`${own.split(/:\s/)[0]}: `))) return false
  return !isAnswered(at, all)
}

const interrogative =
  '(?:can|could|should|do|does|did|is|are|may|shall|will|would|has|have|had|must|was|were|who|whom|whose|which|what|when|where|why|how)'
const questionOpening = new RegExp(
  [
    // “and”, “Marta,”, “for Ops:”
    `^\\W*(?:@\\p{L}[\\p{L}\\p{N}._-]*[,:]? |\\p{Lu}\\p{L}+, |(?:and|but|so|also|btw|or|then|now|still|finally|if so|if not|in that case|by the way),? )*`,
    // “to whom”, “by when”
    '(?:(?:to|by|from|since|until|for|in|at|with|on|of|about|under) )?',
    `${interrogative}(?![\\p{L}’])|^\\W*@\\p{L}|^\\W*(?:if|once|when|after|as)\\b[^?]*, ${interrogative}(?![\\p{L}’])`,
  ].join(''),
  'iu',
)

function isRhetorical(own: string): boolean {
  return /\b(?:what(?:'s| is) the point|who cares|who knows|who would(?:n't| not)|who doesn't|why not|why bother|what else|how hard can|isn't it|aren't we|don't we|otherwise|anyway|after all)\b|,\s*(?:right|no|or)\W*$|,\s*\p{L}+n't (?:it|we|they|he|she)\W*$|\b(?:should|would|do|did|is|are) i\W*$|\b(?:could|can|would|will) you please\b/iu.test(
    own,
  )
}

/** “The form asks: …”, “interviewers must not ask: …”: questions for other people. */
const asksOthers =
  /\b(?:ask(?:s|ed|ing)?|says?|said|reads|prompt|survey|form|questionnaire|interview\w*)\b[^.!?:]*:\s*$/i

/** Whether text after the question answers it. “We asked Legal” or “still open” does not. */
function isAnswered(at: number, all: readonly Sentence[]): boolean {
  const { paragraph, line, isItem, text } = all[at] as Sentence
  if (asksOthers.test(text.split(/:\s/)[0] ?? '') && /\b(?:must|may|should) not ask\b/i.test(text)) return true
  if (/^(?:a|answer|re)\s*:/i.test(all[at + 1]?.text ?? '')) return true
  // text indented below an item is taken as its answer
  if (isItem && (all[at + 1]?.indent ?? 0) > (all[at] as Sentence).indent) return true
  const following = all.slice(at + 1).filter((one) => (isItem ? one.line === line : one.paragraph === paragraph))
  return following.some((one) => !isQuestion(one) && !leavesOpen.test(one.own) && !(one.isItem && one.line !== line))
}
const leavesOpen =
  /\b(?:i have left|i left|we left|left (?:it )?as|until then|until (?:that|this) is|to be (?:decided|checked|clarified|confirmed|discussed)|still open|let me know|please|waiting|awaiting|pending|nobody (?:knows|has)|no one (?:knows|has)|no answer|not (?:yet )?decided|have not (?:heard|found|checked|decided)|haven['’]t (?:heard|found|checked|decided)|(?:don['’]t|do not) know|could not find|unclear|unknown|tb[dc]|has to decide|will (?:decide|ask|check|clarify)|(?:have|has) asked|i asked|we asked|decides)\b|both\W*$/i
