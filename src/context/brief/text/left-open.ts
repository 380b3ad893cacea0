/** What a session left to be done: the sentences of its outcome that say so. */
import { type Sentence, sentencesOf } from '../../../text/sentences.ts'
import { oneLine } from './in-line.ts'
import { plainText } from './plain-text.ts'

/** UTF-16 units of the text that are read. */
const mostRead = 4_000

/** Empty if it left nothing. */
export function leftOpen(text: string): string {
  const sentences = sentencesOf(plainText(text.slice(0, mostRead)))
  return sentences
    .filter(tellsWorkLeft)
    .map((one) => oneLine(one.text))
    .join(' ')
}

function tellsWorkLeft({ own, isHeading }: Sentence): boolean {
  return !isHeading && !nothingLeft.test(own) && anySign.test(own)
}

/** “Nothing left to do.”, “Left: nothing.” */
const nothingLeft = /\bnothing(?: \w+){0,2} left\b|^\W*left\W+(?:nothing|none)\b/i

/** Each of them tells something that no other one tells, in the records of test/quality/brief. */
const signs = [
  // a label, as in “Left: the winch.” or “Not done: the winch.”
  /^\W*(?:left|next|open|to ?do|remaining|missing|follow[- ]?up|blocked|(?:not|still) \w+)(?: \w+){0,2}\s*[:–—]/,
  /\b(?:is|are|has|still|\d+) left\b|\bleft (?:over|to)\b/,
  // not “the door was left open”, not “replaced a missing screw”
  /(?<!\bwas (?:left )?)\bopen\W*$|(?<!\b(?:an?|the|any|of|about|was|were) )\bmissing\b/,
  /\b(?:is|are|still|cause) (?:blocked|unknown|unclear)\b|\bblocked (?:by|in|until)\b/,
  /\b(?:lacks?|pending|remain(?:s|ing)?|fails|failing|waits?|wants?|owes?|asks?)\b|\bno (?:new )?date\b/,
  // not “the next day”, “waiting times”, “was still warm”
  /(?<!\bthe )\bnext\b(?! (?:day|morning|to)\b)|\bwaiting\b(?! time)|(?<!\b(?:can|was|were|had) )\bstill\b/,
  /\bmust\b(?! have\b)|(?<!\bno longer )\b(?:has|have) to\b|\bneeds? (?:an?|another|new|more|\d+|two|three)\b/,
  /\bnot(?:hing has)? (?:been|(?:\w+-)?(?:done|started|tested|sent|fixed|merged|deployed|confirmed))\b/,
  /(?:\bnot|n['’]t)\b[^.;:]{1,60}\byet\b|\bnobody (?:has|knows|may)\b/,
  /(?:^|[;,:] )\W*(?:do not|don['’]t|ask|repeat|continue)\b/,
]
const anySign = new RegExp(signs.map(({ source }) => source).join('|'), 'i')
