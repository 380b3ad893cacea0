/** Recognizes in one sentence that something changed, and takes it apart: what changed, from what, to what. */
import type { Sentence } from '../text/sentences.ts'
import { takeDates } from './reading/dates.ts'

export interface Change {
  /**
   * `changed`: a value or a place, “raised to”, “moved to”. `replaced`: one thing by another. `ended`: “no longer”.
   * `dated`: “as of”, “now”; what differs must be found by comparing.
   */
  kind: 'changed' | 'replaced' | 'ended' | 'dated'
  /** The words of the sentence that name what changed. */
  subject: string
  /** What was before, if the sentence says so; else empty. */
  before: string
  /** What is from now on, if the sentence says so; else empty. Of `dated` the sentence as if it had always been so. */
  after: string
}

/** undefined: the sentence tells no change, or asks about one, or only plans one. */
export function changeIn({ text, own }: Pick<Sentence, 'text' | 'own'>): Change | undefined {
  if (/\?\s*$/.test(text) || unreal.test(own) || ofPart.test(own)) return undefined
  return replacedIn(own, text) ?? endedIn(own, text) ?? changedIn(own, text) ?? datedIn(own, text)
}

/** “Moved the first rules from A to B”: the others are still where they were. */
const ofPart =
  /\b(?:moved|migrated|ported|switched|converted|transferred|upgraded|replaced|removed|retired|rewrote|swapped) (?:over )?(?:the |our )?(?:(?:very )?first|initial|some|several|half|part|parts|most|few|a (?:first|few|couple|part|third|quarter|handful)|one|two|three) (?!time\b)|\b(?:some|half|part|most|many|a few|several) of (?:the|our|its|their) [^.;]{1,60}? (?:is|are|was|were|has|have|been) (?:now |already )?(?:been )?(?:moved|migrated|ported|switched|converted|transferred|upgraded|replaced|removed|retired|swapped)\b/i

/** A wish, a condition or a plan is no change. */
const unreal =
  /\b(?:if|unless|whether|should|could|would|might|propos\w*|consider\w*|suggest\w*|plan(?:s|ned|ning)? to|want(?:s|ed)? to|may be|can be|must not|never|ideas?)\b/i

/** The end of a phrase: a comma, a new clause, or the time and the reason of the change. */
const phraseEnd =
  /[,;:.(–—]\s|[,;:.]$|\s(?:because|since|as of|as from|from|on|in|so that|after|when|while|and|but|which|that|by|for|to)\s/i

function phrase(text: string): string {
  const end = phraseEnd.exec(text)
  return (end ? text.slice(0, end.index) : text).trim()
}

/** The last phrase of a text that ends before a sign. */
function lastPhrase(text: string): string {
  return text.split(/[,;:(–—]\s|\s(?:because|since|so that|after|when|while|but|and)\s/i).at(-1) ?? ''
}

const passive =
  /\b(?:is|are|was|were|been|be|gets?|got)\s+(?:now |fully |since )?(?:replaced|superseded|succeeded)\s+(?:by|with)\s+/i
const active =
  /\b(?:(?:now |fully |has |have |will )?(?:replaces?|replaced|superseded?|supersedes|succeeds?|succeeded)|(?:takes|took|take) over (?:it )?from|(?:takes|took|take) the place of)\s+/i
const insteadOf = /\b(?:instead of|in place of|rather than)\s+/i

function replacedIn(own: string, text: string): Change | undefined {
  const by = passive.exec(own)
  if (by) {
    const [before, after] = [lastPhrase(text.slice(0, by.index)), phrase(text.slice(by.index + by[0].length))]
    return { kind: 'replaced', subject: text, before, after }
  }
  const of = active.exec(own) ?? insteadOf.exec(own)
  if (!of) return undefined
  const [after, before] = [lastPhrase(text.slice(0, of.index)), phrase(text.slice(of.index + of[0].length))]
  // the sentence around “instead of” names the subject too, so it is not what is new
  return { kind: 'replaced', subject: text, before, after: insteadOf.test(of[0]) ? '' : after }
}

const noLonger = /\b(?:no longer|not\b[^.;]{0,60}\bany ?more|n['’]t\b[^.;]{0,60}\bany ?more)\b/i
const wasEnded =
  /\b(?:is|are|was|were|been|has|have|had)\s+(?:now |finally |fully )?(?:retired|discontinued|decommissioned|abolished|withdrawn|dropped|lifted|removed|shut down|switched off|turned off|cancelled|canceled|revoked|repealed|scrapped|phased out|sunset|ended|closed down)\b(?! (?:after|as soon as|at|automatically|each|every|from there|if|once|when|whenever|within)\b)/i
const weEnded =
  /\b(?:we|they|[A-Z][a-z]+)\s+(?:have |has )?(?:stopped|dropped|retired|discontinued|decommissioned|abolished|scrapped|ended|gave up|given up|removed)\s+/

function endedIn(own: string, text: string): Change | undefined {
  const longer = noLonger.exec(own)
  if (longer && !/^[^.;]*\b(?:if|once|when|whenever)\b/i.test(own.slice(longer.index)))
    return { kind: 'ended', subject: firstClause(text, longer.index), before: '', after: '' }
  const ended = wasEnded.exec(own)
  if (ended && !/\b(?:after|before|once|until|when|whenever)\b[^,;]*$/i.test(own.slice(0, ended.index)))
    return { kind: 'ended', subject: lastPhrase(text.slice(0, ended.index)), before: '', after: '' }
  const gone = weEnded.exec(own)
  if (!gone) return undefined
  return { kind: 'ended', subject: phrase(text.slice(gone.index + gone[0].length)), before: '', after: '' }
}

/** The clause around a position. */
function firstClause(text: string, at: number): string {
  const begin = Math.max(text.lastIndexOf('; ', at), text.lastIndexOf(': ', at), text.lastIndexOf(', ', at)) + 1
  const end = /[;:]\s|,\s|\s(?:because|since|so that)\s/.exec(text.slice(at))
  return text.slice(begin, end ? at + end.index : text.length)
}

const verb =
  /\b(?:raised|raises|increased|increases|lifted|lowered|lowers|reduced|reduces|cut|cuts|dropped|drops|decreased|extended|extends|lengthened|shortened|changed|changes|bumped|upgraded|downgraded|updated|adjusted|revised|corrected|tightened|relaxed|switched|switches|went up|went down|goes up|goes down|grew|grown|rose|fell|risen|fallen|moved|moves|migrated|migrates|relocated|transferred|handed over|handed|passed|took over|takes over|taken over|reassigned|postponed|delayed|rescheduled|brought forward|pushed back|pushed|renamed)\b/i
/** “Switches to a red screen after sunset” tells what happens each time. */
const present = /s$/i
const whenever = /\b(?:after|before|during|if|once|unless|until|when|whenever|every|each)\b/i
const fromTo = /\bfrom\s+(.{1,80}?)\s+(?:up |down |over |back )?(?:to|until|into|onto)\s+(.+)$/i
const takenFrom = /\bfrom\s+(.+)$/i
const toOnly = /(?:^|\s)(?:up |down |over |back )?(?:to|until|into|onto)\s+(.+)$/i

function changedIn(own: string, text: string): Change | undefined {
  const found = verb.exec(own)
  if (!found) return undefined
  const rest = own.slice(found.index + found[0].length)
  if (present.test(found[0]) && whenever.test(rest)) return undefined
  const restText = text.slice(found.index + found[0].length)
  const taken = /over$/.test(found[0]) ? takenFrom.exec(rest) : null
  if (taken && taken.index <= farthest) {
    const [after, before] = [lastPhrase(text.slice(0, found.index)), phrase(taken[1] as string)]
    return { kind: 'changed', subject: restText.slice(0, taken.index), before, after }
  }
  const both = fromTo.exec(rest)
  const to = both ?? toOnly.exec(rest)
  // “moved the office after five years to …”: what stands far away belongs to something else
  if (!to || to.index > farthest) return undefined
  const isBare = /[.;]\s/.test(rest.slice(0, to.index))
  if (isBare || isPeriod(found[0], both)) return undefined
  const last = (to[to.length - 1] as string).length
  const after = phrase(restText.slice(restText.length - last))
  const before = both ? (both[1] as string) : ''
  return {
    kind: 'changed',
    subject: `${lastPhrase(text.slice(0, found.index))} ${restText.slice(0, to.index)}`,
    before,
    after,
  }
}

/** “Fell from July to September”. */
const isPeriod = (of: string, both: RegExpExecArray | null) =>
  /^(?:gr[eo]wn?|r[io]sen?|fell|fallen|went|increased|decreased|dropped)/i.test(of) &&
  /^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Q\d|(?:19|20)\d\d)/.test(both?.[1] ?? '')

/** UTF-16 units between the verb and “to”. */
const farthest = 80

const dated =
  /\b(?:as of|as from|with effect from|(?<!\b(?:is|are|was|be|becomes?) )effective|starting(?! (?:at|pay|point|position|price|salary|time)\b)|beginning (?:on|in|with)|from [^,.;:]{3,30} (?:onwards?|on(?! (?:\d|[A-Z])))|since(?! (?:it|its|we|they|he|she|i|you|there|this|that|these|those|our|their|no|all)\b)|from now on|going forward|(?:is|are|has|have|takes?|costs?|needs?|runs?|must|we) now|(?<!\b(?:by|for|right|until) )now|has become|have become)\b/i

function datedIn(own: string, text: string): Change | undefined {
  const found = dated.exec(own)
  if (!found) return undefined
  // “are now kept” says that they are kept
  const kept = /^(.+) now$/i.exec(found[0])?.[1] ?? (/^ha(?:s|ve) become$/i.test(found[0]) ? 'is' : '')
  const rest = text.slice(endOfTime(text, found.index + found[0].length)).replace(/^[\s,]+/, '')
  const after = [text.slice(0, found.index).trim(), kept, rest].filter((part) => part !== '').join(' ')
  return { kind: 'dated', subject: text, before: '', after }
}

/** Where the time of the change ends, which may stand at `from`: “the 1st of May”, “next week”. */
function endOfTime(text: string, from: number): number {
  let end =
    from +
    (/^\s*(?:the )?(?:(?:next|this|last|coming) \p{L}+|today|tomorrow|yesterday)/iu.exec(text.slice(from))?.[0]
      .length ?? 0)
  takeDates(text, (_, found, at) => {
    const isHere = at >= from && /^\s*(?:the |end of )?$/i.test(text.slice(from, at))
    if (isHere) end = Math.max(end, at + found.length)
    return undefined
  })
  return end
}
