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
  if (isHeading || saysNothing.test(own)) return false
  // “after it was repaired, luckily still in the bay” tells where something was
  const told = /\b(?:was|were|had)\b/i.test(own) ? own.replace(stillThere, ' ') : own
  return anySign.test(told.replace(noSign, ' '))
}

/** “Nothing left to do.”, “Left: nothing.”, “No open points.” */
const saysNothing =
  /\bnothing(?: else| more)?(?: is| was| has)?(?: been)? (?:left|open|missing|remain\w*|to ?do)\b|^\W*(?:left|next|open|still open|missing|remaining|to ?do)\W+(?:nothing|none|no)\b|\bno (?:more )?(?:open|pending|missing|remaining) (?:points?|questions?|issues?|items?)\b/i

const stillThere = /\bstill (?:in|on|at|under|there|here|with)\b/gi

/** Words that look like signs: “the left door”, “the next day”, “no longer has to”, “a missing screw”. */
const noSign = new RegExp(
  `\\b(?:${[
    '(?:the|a|an|its|his|her|their|our|my|front|rear|back|upper|lower|top|bottom|far|and|or) left(?!\\s*(?:over|open|to|[:–—-]))',
    'left (?:hand|side|arm|foot|leg|turn|alone|in place|behind|at|for|from|on|by|the|a|an|us|me|him|them|it|today|yesterday|early|late)',
    '(?:who|which|that|has|had|have|he|she|they|we|i) (?:had )?left(?! (?:over|open|to)\\b)',
    'next (?:day|morning|afternoon|evening|night|door|to)|the next',
    'no longer (?:has|have|needs?|waits?|fails?|asks?|wants?|owes?)(?: to)?|(?:never|not|without|nobody) (?:has to|have to|having to|needs?)',
    '(?:an?|the|this|that|these|those|some|any|of|for|about|every|each) (?:missing|pending|unknown|unclear|open|blocked)',
    'as (?:missing|unknown|unclear|blocked)|(?:stays?|remains?|is|are) open (?:\\d+|from|until|till|daily|on|at|every|to|for)',
    '(?:luckily|fortunately|thankfully|happily) still|can still|still (?:works?|holds?|fits?|counts?|stands?)(?=\\s*(?:[.,;!]|$))|still (?:can|had|was|were|fine|good|valid|there|warm|wet|alive)',
    '(?:doors?|gates?|windows?|valves?|taps?|lids?) (?:is|are|was|were|has been|had been) left open|had to be|must have \\w+|(?:everyone|everybody|you|whoever) (?:has to|have to|must|needs? to)',
    '(?:that|which) (?:was|were) (?:missing|open|left)|no \\w+ (?:is|are|was|were) (?:missing|open|left)',
    '(?:open|missing|remaining|pending) (?:\\w+ )?\\w+ (?:was|were|went|came|got|has been|have been)',
    'waiting (?:times?|rooms?|lists?)|remain(?:s|ing)? (?:the same|unchanged|stable|valid|closed)',
    '(?:if|when|whenever) [^,;:]*\\b(?:asks?|wants?|needs?|fails?|waits?)',
  ].join('|')})\\b`,
  'gi',
)

const signs = [
  // a label, as in “Left: the winch.” or “Not done: the winch.”
  '^\\W*(?:left(?: over| open| to do)?|next(?: steps?| session| up)?|open(?: points?| wish)?|(?:not|still) \\w+(?: \\w+)?|to ?do|remaining|missing|rest|follow[- ]?ups?|pending|blocked|unfinished|unknown)\\s*[:–—]',
  "^\\W*left (?:are|is)\\b|^\\W*(?:open|missing|next|remaining|pending|unfinished|still)\\b|\\b(?:is|are|has|have|still|more|\\d+|one|two|three|four|five|six|seven|eight|nine|ten|few|some|many|most|what|what['’]s|work|\\d+ of \\d+ \\w+) left\\b|\\bleft (?:over|open|to \\w+)\\b",
  '\\bnext\\b|\\bfollow[- ]up\\b|^\\W*(?:continue|repeat)\\b|[;,:] (?:continue|repeat)\\b',
  '\\b(?:is|are|remains?|stays?|still|left) (?:\\w+ )?open\\b|\\bopen (?:points?|questions?|issues?|items?|wish(?:es)?)\\b|\\bopen\\W*$',
  '\\bmissing\\b|\\bremain(?:s|ing)?\\b|\\blacks?\\b|\\bunfinished\\b|\\bpending\\b',
  '\\b(?:is|are|stays?|still) blocked\\b|\\bblocked (?:by|on|in|until)\\b|\\b(?:stall|fail)s?\\b|\\bfailing\\b|\\bno (?:new )?date\\b',
  "\\bstill\\b|\\bnot yet\\b|\\bnot (?:been )?(?:\\w+-)?(?:done|started|tested|sent|repaired|fixed|merged|deployed|found|confirmed|checked|looked into)\\b|(?:\\bnot|n['’]t)\\b[^.;:]{1,60}\\byet\\b|\\bnothing has\\b|\\bnot been\\b|\\bdid not take place\\b|\\bcould(?: not|n['’]t) (?:reach|finish|get|test|find out)\\b",
  '\\bwaits?\\b|\\bwaiting\\b|\\bneeds? (?:an?|another|new|more|to|somebody|someone|\\d+|two|three)\\b|\\bneeds? [^,;]*\\bfirst\\b|\\bmust\\b|\\b(?:has|have) to\\b|\\bto be \\w+ed\\b',
  "\\b(?:wants?|owes?|asks?)\\b|(?:^|[;,:] )\\W*(?:please )?(?:do not|don['’]t|ask)\\b|\\bnobody (?:has|have|knows|may|is)\\b",
  '\\b(?:is|are|still|cause|reason|date) (?:unknown|unclear)\\b|^\\W*un(?:known|clear)\\b|\\bunclear (?:if|whether|why|who|what|when|how)\\b',
]
const anySign = new RegExp(signs.join('|'), 'i')
