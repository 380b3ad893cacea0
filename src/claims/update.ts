/**
 * Finds statements that a newer record says have changed: “raised to”, “as of”, “replaced by”, “moved to”, “no longer”.
 * Both must be about the same subject, and the older one must say something else. Pure functions over texts, for the
 * comparison of records and for the brief.
 */
import { contradictionsAmong } from './contradiction.ts'
import { haveOtherKinds } from './difference/align.ts'
import { areOther, haveOtherTitles, thingsIn } from './difference/scope.ts'
import { common } from './reading/common.ts'
import { takeDates } from './reading/dates.ts'
import { oncePer } from './reading/once-per.ts'
import { quantitiesIn } from './reading/quantities.ts'
import type { Source } from './reading/source.ts'
import { readStatements, statementsOf } from './reading/statement.ts'
import {
  changesOf,
  isIn,
  mayBeIn,
  type Read,
  type ReadChange,
  type Sentences,
  sentencesRead,
  sharedWith,
  sizeOf,
  termsOf,
} from './told-changes.ts'

interface Update {
  /** The sentence of the newer record that tells the change, verbatim. */
  changed: string
  /** The sentence of the older record that no longer holds if the change is true, verbatim. */
  was: string
}

/** Share of the words of the changed subject that the older sentence must have. */
const leastOfSubject = 0.6
/** Share of the words of the older sentence that the newer record must have: otherwise it is about more than that. */
const leastOfOlder = 0.4
/** The same if neither the old value nor a number tells what changed. */
const leastIfVague = 0.5
/** Words that both sentences must have in common. */
const leastShared = 2
/**
 * The lowest score of a contradiction with a sentence such as “As of May the carrier is Velopost”. Other sentences need 0:
 * this one also says that something has changed. With a lower one, as many wrong questions as right ones would be added on
 * the development pairs of test/quality/claims, where it was chosen.
 */
const leastScore = -1

/** The statement says that something has changed. */
export function tellsUpdate(source: Source): boolean {
  return changesOf(source).length > 0
}

/** How many pairs of a change and a sentence `updates` compares. */
export function pairsIn(older: Source, newer: Source): number {
  return changesOf(newer).length * sentencesRead(older).all.length
}

/** undefined: the newer statement does not say that the older one has changed. The caller knows which one is newer. */
export function updates(older: Source, newer: Source): Update | undefined {
  const told = changesOf(newer)
  // what holds in “Sprint 15” outdates nothing of “Sprint 14”
  if (told.length === 0 || haveOtherTitles(older, newer)) return undefined
  const sentences = sentencesRead(older)
  for (const change of told) {
    const [opposed] =
      change.kind === 'dated' ? contradictionsAmong(statementsNow(change), statementsOf(older), leastScore) : []
    if (opposed) return { changed: change.said.sentence, was: opposed.b.text }
    const was = changedBy(change, sentences)
    if (was) return { changed: change.said.sentence, was: was.sentence }
  }
  return undefined
}

/** The first of the sentences that no longer holds. 30 changes and 30 sentences are 900 pairs: the dear checks come last. */
function changedBy(change: ReadChange, sentences: Sentences): Read | undefined {
  const { kind, before, about, said } = change
  const needsBefore = kind === 'replaced' || (kind === 'changed' && sizeOf(before) > 0)
  if (needsBefore && !mayBeIn(before, sentences)) return undefined
  const shared = sharedWith(sentences, about)
  return sentences.all.find(
    (was, at) => isChanged(was, change, shared[at] as number) && !areOther(thingsOf(was), thingsOf(said)),
  )
}

const thingsOf = oncePer(({ sentence }: Read) => thingsIn(sentence))
const statementsNow = oncePer(({ title, now }: ReadChange) => readStatements({ title, text: now }))

/**
 * The newer statement says that something has taken the place of a thing, and the older one names that thing. It need not
 * be about the same subject. The caller knows which one is newer.
 */
export function replacesName(older: Source, newer: Source): boolean {
  const sentences = sentencesRead(older)
  return changesOf(newer).some(
    ({ before, isName }) =>
      isName && before.words.size > 0 && mayBeIn(before, sentences) && sentences.all.some((was) => isIn(before, was)),
  )
}

/** `shared`: how many words the older sentence has in common with what the change is about. */
function isChanged(was: Read, change: ReadChange, shared: number): boolean {
  if (shared < leastShared) return false
  const { kind, subject, before, after } = change
  const hadBefore = isIn(before, was)
  if (kind === 'replaced' ? !hadBefore : kind === 'changed' && sizeOf(before) > 0 && !hadBefore) return false
  if (isIn(after, was)) return false
  const ofOlder = shared / was.words.size
  const ofSubject = subject.size === 0 ? 0 : common(subject, was.about) / subject.size
  switch (kind) {
    case 'replaced':
      return ofOlder >= leastOfOlder
    case 'ended':
      return (
        !was.isDenial &&
        subject.size >= leastShared &&
        ofSubject >= leastOfSubject &&
        ofOlder >= leastOfOlder &&
        !nameOtherKinds(was, change.said)
      )
    case 'changed':
      if (hadBefore) return ofOlder >= leastOfOlder || ofSubject >= leastOfSubject
      if (ofSubject < leastOfSubject) return false
      if (after.numbers.size === 0) return ofPlace(was, change) >= leastOfSubject
      return was.numbers.size > 0 && ofOlder >= leastOfOlder && mayHaveUnit(was, change)
    case 'dated': {
      if (was.numbers.size === 0 || ofOlder < leastOfSubject || !differ(was.numbers, after.numbers)) return false
      const ofNewer = common(after.words, was.about) / Math.max(1, after.words.size)
      return ofNewer >= leastIfVague && mayHaveUnit(was, change)
    }
  }
}

/** One number of the sentence is of the quantity of the new value. A number without a unit may be of any. */
const mayHaveUnit = (was: Read, { quantity }: ReadChange) => quantity === '' || quantitiesOf(was).has(quantity)
const quantitiesOf = oncePer(({ sentence }: Read) => quantitiesIn(sentence))

/**
 * Of a sentence that says where, when or with what something is done: the share of the words before that which the change
 * has too. 0: it says no such thing, so “moved to” cannot change it.
 */
function ofPlace(was: Read, change: ReadChange): number {
  const whens = kindsOfNewTime(change)
  const place = placesOf(was)
  if (whens.length > 0 && !place.kindsOfTime.some((kind) => whens.includes(kind))) return 0
  const words = whens.length > 0 ? place.beforeAny : place.beforePlace
  return words.size < leastShared ? 0 : common(words, change.about) / words.size
}

interface Places {
  kindsOfTime: readonly string[]
  /** The words before the first time or place, and before the first place. Empty: the sentence has none. */
  beforeAny: ReadonlySet<string>
  beforePlace: ReadonlySet<string>
}

const placesOf = oncePer(({ sentence }: Read): Places => {
  const before = (found: RegExpExecArray | null): ReadonlySet<string> =>
    found ? termsOf(sentence.slice(0, found.index) || sentence).words : new Set()
  return {
    kindsOfTime: kindsOfTime(sentence),
    beforeAny: before(timeOrPlace.exec(sentence)),
    beforePlace: before(timeOrPlace.exec(withoutTimes(sentence))),
  }
})

const timeOrPlace = /(?<=\S )(?:in|on|at|to|from|under|through|via|uses?|using|runs?) (?=\S)/i
const withoutTimes = (text: string) => takeDates(text, () => undefined)

const kindsOfNewTime = oncePer(({ now }: ReadChange) => kindsOfTime(now))

function kindsOfTime(text: string): string[] {
  const kinds: string[] = []
  takeDates(text, ({ kind }) => void kinds.push(kind))
  return kinds
}

/** “The night bus” and “the airport bus”. */
function nameOtherKinds(a: Read, b: Read): boolean {
  const [one, other] = [firstStatement(a), firstStatement(b)]
  return one !== undefined && other !== undefined && haveOtherKinds(one, other)
}

const firstStatement = oncePer(({ sentence }: Read) => readStatements({ title: '', text: sentence })[0])

function differ(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return others.size > 0 && common(some, others) < Math.max(some.size, others.size)
}
