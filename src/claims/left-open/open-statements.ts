/** Finds open questions in sentences without a question mark: “still to be decided: who signs”, “nobody knows why …”. */

import type { Sentence } from '../../text/sentences.ts'

export interface ExplicitQuestion {
  /** Verbatim. */
  question: string
  /** Verbatim: the question, with the words that say that it is open or to whom it is addressed. */
  passage: string
}

const wh = "(?:who|whom|whose|which|what|when|where|why|how)(?!['’]s\\b)"
// “we don't know if …” is a doubt (low_confidence), not a question
const whOrIf = `(?:${wh}|(?:whether|if)(?!['’]s\\b))`
const until = (words: string) => `(?<asked>${words}(?![\\p{L}\\p{N}])[^;.?!]*[^;.?!\\s])`

/** Before a colon, these words say that the rest is open. */
export const openWords = [
  '(?:still |yet )?open(?: (?:question|point|issue)s?)?|left open|(?:still |yet )?to be (?:decided|clarified|discussed|determined|agreed|checked)|tb[dc]|undecided|unresolved|pending',
  '(?:it is )?(?:still )?unclear|not (?:yet )?(?:clear|decided)|unanswered|questions?(?: (?:for|to|about|on) [^:?]{1,40})?|q(?: (?:for|to) [^:?]{1,40})?',
  '(?:needs?|awaiting|waiting for|pending) (?:an? )?(?:answer|decision|input|reply)(?: (?:by|from|of|on|about) [^:?]{1,40})?',
  '(?:still )?to (?:clarify|decide|discuss|find out|ask)|(?:left|remains?) to (?:decide|clarify)|for (?:the )?(?:review|discussion|next meeting)',
].join('|')

const settle = '(?:decide|clarify|find out|figure out|agree on|agree|settle|determine|work out|sort out)'
const settled = '(?:decided|clarified|found out|agreed on|agreed|settled|determined|said|told us|answered|confirmed)'
const unsettled =
  '(?:open|unclear|undecided|unresolved|unknown|uncertain|unsettled|to be (?:decided|clarified|agreed|seen|discussed))'

const statements = [
  `(?:^|[.;(–—-]\\s*)\\W*(?:${openWords})\\s*:\\s*${until(whOrIf)}`,
  // it is still unclear whether
  `\\b(?:it (?:is|remains|stays)|it's|is|remains) (?:still |as yet |yet )?(?:${unsettled}|not (?:yet )?(?:known|clear|decided|settled|agreed))(?: to (?:me|us))?(?: yet)?,? ${until(whOrIf)}`,
  `^\\W*(?:still |as yet |yet )?(?:${unsettled}|not (?:yet )?(?:known|clear|decided|settled|agreed))(?: is)?,? ${until(whOrIf)}`,
  // we still need to decide who
  `\\b(?:we|i|they|someone|somebody) (?:still |also |now )?(?:need|have|want) (?:yet )?to ${settle} ${until(whOrIf)}`,
  `\\b(?:still|yet) (?:needs?|has|have|to)? ?(?:to )?(?:be )?(?:${settle}|${settled}|check|ask) ${until(whOrIf)}`,
  `\\b(?:todo|to do|follow-up|next step)\\W{1,3}(?:${settle}|check|ask [\\p{L} ]{2,20}?) ${until(whOrIf)}`,
  // Legal has not said whether
  `\\b(?:has|have)(?: not|n['’]t) (?:yet )?(?:been )?${settled} (?:yet )?${until(whOrIf)}`,
  `\\b(?:nobody|no one|none of us) (?:has|have) (?:yet )?${settled} (?:yet )?${until(whOrIf)}`,
  `\\bno (?:decision|agreement|answer|word)(?: yet)?(?: (?:on|about|as to))? ${until(whOrIf)}`,
  `^\\W*(?:the|one|another|my|our|an|this leaves the|that leaves the) (?:\\p{L}+ )?question (?:is|remains|was left)?(?: now| then| still)?[,:]? ?${until(whOrIf)}`,
  `^\\W*(?:we|i) (?:don['’]t|do not) (?:yet )?know(?: yet)? ${until(wh)}`,
  `\\b(?:we|i) (?:could not|couldn['’]t|cannot|can['’]t) (?:find out|tell|figure out|work out|determine|see) ${until(wh)}`,
  `\\b(?:nobody|no one) (?:could tell (?:me|us)|knows|knew)(?: [a-z ]{1,30}?)? ${until(whOrIf)}`,
  `^\\W*(?<asked>${whOrIf}\\b[^;.?!]{3,160}? (?:is|remains) (?:still )?(?:open|undecided|unclear|to be decided|unresolved))\\W*$`,
].map((pattern) => new RegExp(pattern, 'iu'))

export function openStatementIn({ text, own }: Sentence): ExplicitQuestion | undefined {
  // “if it is unclear who signs, ask Legal” is an instruction, not an open question
  if (/^\W*(?:if|when|whenever|where|whoever|in case|until|as long as|before|once)\b/i.test(own)) {
    if (!/(?:is|remains) (?:still )?(?:open|undecided|unclear|to be decided|unresolved)\W*$/i.test(own))
      return undefined
  }
  // “Unclear how to implement this.” names nothing that a person could answer about
  if (/^\W*(?:[\p{L}’']+ ){1,7}(?:this|it|that)\W*$/iu.test(own)) return undefined
  for (const pattern of statements) {
    const found = pattern.exec(own)
    const asked = found?.groups?.asked
    if (found && asked !== undefined) {
      const from = found.index + found[0].indexOf(asked)
      const passage = text.slice(found.index, found.index + found[0].length)
      return { question: text.slice(from, from + asked.length).trim(), passage }
    }
  }
  return undefined
}
