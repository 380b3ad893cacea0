/**
 * Finds statements that a newer record says have changed: “raised to”, “as of”, “replaced by”, “moved to”, “no longer”.
 * Both must be about the same subject, and the older one must say something else. Pure functions over texts, for the
 * comparison of records and for the brief.
 */
import { analyze } from '../text/analyzer.ts'
import { type Sentence, sentencesOf } from '../text/sentences.ts'
import { type Change, changeIn } from './changes.ts'
import { contradictionsAmong } from './contradiction.ts'
import { haveOtherKinds } from './difference/align.ts'
import { areOther, haveOtherTitles, thingsIn } from './difference/scope.ts'
import { common } from './reading/common.ts'
import { takeDates } from './reading/dates.ts'
import { oncePer } from './reading/once-per.ts'
import { quantitiesIn, quantityOf, unitOf } from './reading/quantities.ts'
import { mostRead, oncePerSource, type Source } from './reading/source.ts'
import { readStatements, statementsOf } from './reading/statement.ts'

interface Update {
  /** The sentence of the newer record that tells the change, verbatim. */
  changed: string
  /** The sentence of the older record that no longer holds if the change is true, verbatim. */
  was: string
}

/** Sentences compared of one text. */
const mostSentences = 30
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

interface Read {
  sentence: string
  /** As Sentence.own. */
  own: string
  /** Without numbers and dates. */
  words: ReadonlySet<string>
  /** The same, with the words of the title. */
  about: ReadonlySet<string>
  numbers: ReadonlySet<string>
  isDenial: boolean
}

interface ReadChange {
  /** The sentence that tells the change. */
  said: Read
  /** The words that it is about: its own, and those of what it refers to. */
  about: ReadonlySet<string>
  kind: Change['kind']
  subject: ReadonlySet<string>
  before: Terms
  /** What was before has a name, such as that of a product. */
  isName: boolean
  after: Terms
  now: string
  /** Of the record. */
  title: string
  /** Of the unit of the new value; empty if it has none. */
  quantity: string
}

interface Terms {
  words: ReadonlySet<string>
  numbers: ReadonlySet<string>
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

const changesOf = oncePerSource(500, (source): readonly ReadChange[] => {
  const { all } = sentencesRead(source)
  const wordsBefore = (at: number) => (at > 0 ? termsOf((all[at - 1] as Read).sentence).words : nothing)
  return all.flatMap((said, at) => {
    const change = changeIn({ text: said.sentence, own: said.own })
    if (!change) return []
    const subject = termsOf(change.subject).words
    // “It was raised to 20”: the title or the sentence before names the subject
    const named = subject.size > 0 ? subject : source.title ? termsOf(source.title).words : wordsBefore(at)
    const meant = pronoun.test(said.sentence) ? wordsBefore(at) : nothing
    return [
      {
        said,
        about: new Set([...said.about, ...(subject.size > 0 ? meant : named)]),
        kind: change.kind,
        subject: named,
        before: termsOf(change.before),
        isName: /^\P{L}*(?:the |our )?\p{Lu}/u.test(change.before),
        after: termsOf(change.after),
        now: change.after,
        title: source.title,
        quantity: quantityOf(unitOf(change.after)),
      },
    ]
  })
})

const nothing: ReadonlySet<string> = new Set()

/** Such a sentence speaks of what the sentence before it names. */
const pronoun = /^\W*(?:it|its|they|their|this|these)\b/i

/** The sentences of a text. */
interface Sentences {
  all: readonly Read[]
  /** By word or number: the places of the sentences that have it. */
  having: ReadonlyMap<string, readonly number[]>
}

const sentencesRead = oncePerSource(1_000, ({ title, text }): Sentences => {
  const ofTitle = termsOf(title).words
  const all = sentencesIn(text).map((one) => readOf(one, ofTitle))
  const having = new Map<string, number[]>()
  for (const [at, { words, numbers }] of all.entries()) {
    for (const one of [...words, ...numbers]) {
      const places = having.get(one)
      if (places) places.push(at)
      else having.set(one, [at])
    }
  }
  return { all, having }
})

/** How many of the words each sentence has. */
function sharedWith({ all, having }: Sentences, words: ReadonlySet<string>): Uint16Array {
  const shared = new Uint16Array(all.length)
  for (const word of words) for (const at of having.get(word) ?? []) shared[at] = (shared[at] as number) + 1
  return shared
}

/** Those that are read of a text. */
export function sentencesIn(text: string): Sentence[] {
  return sentencesOf(text.slice(0, mostRead))
    .filter(({ isHeading }) => !isHeading)
    .slice(0, mostSentences)
}

function readOf({ text, own }: Sentence, ofTitle: ReadonlySet<string>): Read {
  const { words, numbers } = termsOf(text)
  const about = ofTitle.size === 0 ? words : new Set([...words, ...ofTitle])
  return { sentence: text, own, words, about, numbers, isDenial: denial.test(text) }
}

const denial = /\b(?:no longer|not|never|none|cannot|without|any ?more)\b|n['’]t\b/i

function termsOf(text: string): Terms {
  const found = analyze(text.replace(calendarDates, ' '))
  return {
    words: new Set(found.filter((word) => !/\d/.test(word) && !empty.has(word))),
    numbers: new Set(found.filter((word) => /\d/.test(word) && !year.test(word))),
  }
}

/** When something was said or changed does not tell what it is about. */
const calendarDates = /\b\d{4}-\d\d-\d\d\b/g
const year = /^(?:19|20)\d\d$/

/** Words that tell a change or nothing, as the analyzer stems them. */
const empty: ReadonlySet<string> = new Set(
  analyze(
    `now new old older newer longer anymore currently since starting effective instead previously formerly moved raised
    increased lowered reduced changed replaced switched extended per every each must may take takes place use uses used using limit limits
    limited maximum minimum most least january february march april may june july august september october november
    december`,
  ),
)

function sizeOf({ words, numbers }: Terms): number {
  return words.size + numbers.size
}

/** The sentence has all of it. Nothing is in no sentence. */
function isIn({ words, numbers }: Terms, { words: own, numbers: ownNumbers }: Read): boolean {
  if (sizeOf({ words, numbers }) === 0) return false
  if (numbers.size > 0) return common(numbers, ownNumbers) === numbers.size
  return common(words, own) === words.size
}

/** Each word or number that isIn looks for is in some sentence. */
function mayBeIn({ words, numbers }: Terms, { having }: Sentences): boolean {
  const terms = numbers.size > 0 ? numbers : words
  for (const one of terms) if (!having.has(one)) return false
  return terms.size > 0
}

function differ(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return others.size > 0 && common(some, others) < Math.max(some.size, others.size)
}
