/**
 * Finds English sentences whose writer is unsure that they are true (low_confidence). “Should” and “may” are not hedges.
 */
import { type Sentence, sentencesOf } from '../../text/sentences.ts'
import { inContext, lacksSubject } from './in-context.ts'

interface Hedged {
  /** Verbatim: the sentence. */
  claim: string
  /** What a person must see to understand it. */
  shown: string
}

/** The first hedged sentence. `title`: of the record whose text it is. */
export function hedgedIn(text: string, title: string): Hedged | undefined {
  const sentences = sentencesOf(text)
  const at = sentences.findIndex(isHedged)
  const sentence = sentences[at]
  if (sentence === undefined) return undefined
  const claim = sentence.text
  const isAlone = lacksSubject(sentence.own.replace(anyHedge, ' '))
  return { claim, shown: isAlone ? inContext(at, sentences, { title, text }) : claim }
}

function isHedged({ own, isHeading }: Sentence): boolean {
  // a question asserts nothing, so it cannot be doubted
  if (isHeading || own.trimEnd().endsWith('?')) return false
  const found = anyHedge.exec(own)
  if (!found || isReportedSpeech(own, found.index) || isInReason(own, found.index)) return false
  return !isTakenBack(own, found.index + found[0].length)
}

/** The hedge belongs to reported speech: “Ada wrote that she isn't sure”, “as we presumably said in 2021”. */
function isReportedSpeech(own: string, at: number): boolean {
  return /\b(?:said|says|wrote|writes|told|asked|claimed|thought|feared|argued)\b[^.;,]*$/i.test(own.slice(0, at))
}

/** “We split it because it will probably grow” doubts the reason, not the claim. */
function isInReason(own: string, at: number): boolean {
  return /\bbecause [^.;]{20,}$|^\W*(?:as|since)\b[^,.;]*$/i.test(own.slice(0, at))
}

function isTakenBack(own: string, from: number): boolean {
  return /[,;:—-]\s*(?:but|and)?\s*(?:it turned out|now confirmed|this is confirmed|that was wrong|they did not|it did not)\b/i.test(
    own.slice(from),
  )
}

const hedges = [
  "i(?:'m| am)? (?:pretty |fairly |almost |quite )?(?:think|suspect|guess|assume|reckon|suppose|presume)(?! (?:about|of|through|it over|ahead|twice)\\b)",
  "i(?:'d| would) (?:guess|assume|say it)",
  'i believe(?! in\\b)',
  "(?:i(?:'m| am)|we(?:'re| are)) not (?:\\w+ )?(?:sure|certain)",
  '(?<=^\\W{0,9})not (?:\\w+ )?(?:sure|certain) (?:if|whether|that|how|why|about)',
  'not (?:entirely|completely|totally|quite|100 ?%) (?:sure|certain)',
  "(?:i|we) (?:don't|do not) (?:really )?know (?:if|whether)",
  "(?:i|we) (?:can't|cannot) (?:say|tell) (?:for sure|for certain|if|whether)",
  "i(?:'ve| have) (?:my |some |serious )?doubts",
  'i doubt',
  '(?<=^\\W{0,9})(?:pretty|fairly|almost) (?:sure|certain)',
  "i(?:'m| am) (?:pretty|fairly|almost) (?:sure|certain)",
  'as far as (?:i|we) (?:know|remember|recall|can tell|can see|understand|am aware)',
  'to (?:the best of )?my (?:best )?knowledge',
  "if (?:i|we)(?:'m| am|'re| are)? (?:not mistaken|remember|recall|understood|have it right|heard)",
  'if memory serves',
  '(?<=^\\W{0,9})(?:this is |quoted |quoting |writing )?from memory',
  'my (?:best )?guess',
  'my (?:recollection|understanding|impression) is',
  'rumou?r has it',
  "(?:i(?:'ve| have)? )?heard (?:a )?rumou?rs?",
  "don't quote me",
  '(?:this|that|it) (?:may|might|could) (?:well )?(?:be|have been) (?:wrong|outdated|out of date|incorrect|mistaken|stale|the \\w+ before)',
  '(?:i|we) (?:may|might|could) be (?:wrong|mistaken)',
  '(?<=^\\W{0,9})(?:could|might) be(?= (?:the|a|an|that|because|due|related|wrong)\\b)',
  'unclear (?:if|whether)',
  '(?<=^\\W{0,9}|[,;] )apparently',
  'presumably',
  'supposedly',
  'allegedly',
  'reportedly',
  '(?:very |most )?probably',
  'perhaps(?! the most\\b)',
  '(?<!\\bor )maybe(?!-)',
  '(?<=^\\W{0,9}|[,;] |\\b(?:is|are|was|were) )(?:most|quite|very) likely(?! to\\b)',
  '(?:it|this|that) seems? (?:that|to|like|as (?:if|though))',
  '(?<=^\\W*|[,;:] |\\b(?:and|but|so|because) )(?:(?:it|this|that) )?(?:sounds|looks|seems|feels) (?:like|as (?:if|though))',
  '(?:seems|appears) to (?:be|have)',
  "under the impression|(?:i|we)(?:'ve| have)? (?:have|get|got|had) (?:the |a )(?:feeling|impression)|my (?:hunch|suspicion|assumption|feeling)",
  "(?:from|by|according to) what (?:i|we)(?:'ve| have)? (?:heard|read|seen|been told|understand|understood|gather|remember|know)",
  "(?:i|we)(?:'ve| have)? (?:heard|been told|read somewhere) (?:that|the|it|they|from)|as (?:i|we) (?:understand|remember|recall|read) it|(?:i|we) gather(?: that)?",
  "(?:i|we) seem to (?:remember|recall)|i vaguely|i (?:would(?:n't| not)|can(?:'t|not)) (?:swear|vouch|guarantee)|(?:i|we) can(?:'t|not) (?:be (?:sure|certain)|rule out)|i(?:'d| would) bet",
  "(?:i am|i'm|we are|we're) (?:fairly|pretty|quite|reasonably|rather|somewhat|less than) (?:sure|certain|confident)",
  "(?:i|we) (?:haven't|have not) (?:yet )?(?:double-)?(?:checked|verified)(?! in\\b)",
  'chances are|in all (?:likelihood|probability)|word (?:is that|has it)|it is said|(?:is|are|was|were) (?:said|believed|thought|rumou?red) to (?:be|have)',
  "(?:this|that|it)(?: is|'s) (?:just |only |merely |more of )?(?:a|my) (?:guess|hunch|assumption|suspicion|theory)",
  '(?:it|this|that) (?:may|might|could) (?:well )?be (?:that|because|due|related)',
  'might (?:well )?be (?:a|an|the|due|because|related|out of|too|wrong|outdated|broken|missing)(?=\\s)',
  '(?:may|might) (?:well )?have (?:been|changed|moved|left|ended|expired|failed)',
  '(?:is|are|was|were) (?:most |very |quite )?likely (?:due|because|caused|a|an|the|that|related|wrong)',
  "(?<!can't )(?<!cannot )possibly|conceivably|seemingly",
  '(?<=[,;(–—-] ?)(?:still |yet |but )?(?:unconfirmed|unverified|hearsay|not (?:yet )?(?:verified|confirmed)|to be (?:verified|confirmed))(?=\\W*$)',
  '(?:not (?:entirely|quite|completely|really|fully) clear)(?! to (?:them|customers|users))',
  'in my (?:opinion|view)|without (?:having checked|(?:any )?guarantee)|no guarantee(?= that)',
  '\\b(?:imho|imo|afaik|iirc|afair)\\b',
  '(?:this|that|it) is (?:still |yet )?(?:unconfirmed|unverified|not (?:yet )?(?:verified|confirmed))',
  "(?:i|we) (?:haven't|have not) (?:yet )?(?:verified|confirmed|double-checked) (?:it|this|that)",
  'take (?:this|it|that) with a (?:grain|pinch) of salt',
]

const anyHedge = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${hedges.join('|')})(?![\\p{L}\\p{N}_-])`, 'iu')
