/**
 * Finds statements that a newer record says have changed: “raised to”, “as of”, “replaced by”, “moved to”, “no longer”.
 * Both must be about the same subject, and the older one must say something else. Pure functions over texts, for the
 * comparison of records and for the brief.
 */
import { analyze } from '../text/analyzer.ts'
import { type Sentence, sentencesOf } from '../text/sentences.ts'
import { type Change, changeIn } from './changes.ts'
import { contradictionOf } from './contradiction.ts'
import { haveOtherKinds } from './difference/align.ts'
import { areOtherThings } from './difference/scope.ts'
import { common } from './reading/common.ts'
import { takeDates } from './reading/dates.ts'
import { areOfOneUnit, unitOf } from './reading/quantities.ts'
import { mostRead, oncePerSource, type Source } from './reading/source.ts'
import { statementsOf } from './reading/statement.ts'

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

/** undefined: the newer statement does not say that the older one has changed. The caller knows which one is newer. */
export function updates(older: Source, newer: Source): Update | undefined {
  const told = changesOf(newer)
  // what holds in “Sprint 15” outdates nothing of “Sprint 14”
  if (told.length === 0 || areOtherThings(older.title, newer.title)) return undefined
  for (const change of told) {
    const saidNow = { title: newer.title, text: change.now }
    const opposed = change.kind === 'dated' ? contradictionOf(saidNow, older, leastScore) : undefined
    if (opposed) return { changed: change.sentence, was: opposed.b.text }
    for (const was of sentencesRead(older)) {
      if (!areOtherThings(was.sentence, change.sentence) && isChanged(was, change))
        return { changed: change.sentence, was: was.sentence }
    }
  }
  return undefined
}

/**
 * The newer statement says that something has taken the place of a thing, and the older one names that thing. It need not
 * be about the same subject. The caller knows which one is newer.
 */
export function replacesName(older: Source, newer: Source): boolean {
  const named = changesOf(newer).filter(({ before, isName }) => isName && before.words.size > 0)
  return named.some(({ before }) => sentencesRead(older).some((was) => isIn(before, was)))
}

interface Read {
  sentence: string
  /** Without numbers and dates. */
  words: ReadonlySet<string>
  /** The same, with the words of the title. */
  about: ReadonlySet<string>
  numbers: ReadonlySet<string>
  isDenial: boolean
}

interface ReadChange extends Read {
  kind: Change['kind']
  subject: ReadonlySet<string>
  before: Terms
  /** What was before has a name, such as that of a product. */
  isName: boolean
  after: Terms
  now: string
  /** The word after the number of the new value; empty if there is none. */
  unit: string
}

interface Terms {
  words: ReadonlySet<string>
  numbers: ReadonlySet<string>
}

function isChanged(was: Read, change: ReadChange): boolean {
  const { kind, subject, before, after } = change
  const shared = common(was.words, change.about)
  if (shared < leastShared || isIn(after, was)) return false
  const ofOlder = shared / was.words.size
  const ofSubject = subject.size === 0 ? 0 : common(subject, was.about) / subject.size
  const hadBefore = sizeOf(before) > 0 && isIn(before, was)
  switch (kind) {
    case 'replaced':
      return hadBefore && ofOlder >= leastOfOlder
    case 'ended':
      if (was.isDenial || nameOtherKinds(was.sentence, change.sentence)) return false
      return subject.size >= leastShared && ofSubject >= leastOfSubject && ofOlder >= leastOfOlder
    case 'changed': {
      if (sizeOf(before) > 0 && !hadBefore) return false
      if (hadBefore) return ofOlder >= leastOfOlder || ofSubject >= leastOfSubject
      if (ofSubject < leastOfSubject) return false
      if (after.numbers.size === 0) return ofPlace(was.sentence, change) >= leastOfSubject
      return was.numbers.size > 0 && ofOlder >= leastOfOlder && areOfOneUnit(change.unit, was.sentence)
    }
    case 'dated': {
      const ofNewer = common(after.words, was.about) / Math.max(1, after.words.size)
      const isValue =
        was.numbers.size > 0 && differ(was.numbers, after.numbers) && areOfOneUnit(change.unit, was.sentence)
      return isValue && ofOlder >= leastOfSubject && ofNewer >= leastIfVague
    }
  }
}

/**
 * Of a sentence that says where, when or with what something is done: the share of the words before that which the change
 * has too. 0: it says no such thing, so “moved to” cannot change it.
 */
function ofPlace(sentence: string, { about, now }: ReadChange): number {
  const whens = kindsOfTime(now)
  if (whens.length > 0 && !kindsOfTime(sentence).some((kind) => whens.includes(kind))) return 0
  const place = timeOrPlace.exec(whens.length > 0 ? sentence : withoutTimes(sentence))
  if (!place) return 0
  const { words } = termsOf(sentence.slice(0, place.index) || sentence)
  return words.size < leastShared ? 0 : common(words, about) / words.size
}

const timeOrPlace = /(?<=\S )(?:in|on|at|to|from|under|through|via|uses?|using|runs?) (?=\S)/i
const withoutTimes = (text: string) => takeDates(text, () => undefined)

function kindsOfTime(text: string): string[] {
  const kinds: string[] = []
  takeDates(text, ({ kind }) => void kinds.push(kind))
  return kinds
}

/** “The night bus” and “the airport bus”. */
function nameOtherKinds(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => statementsOf({ title: '', text })[0])
  return one !== undefined && other !== undefined && haveOtherKinds(one, other)
}

const changesOf = oncePerSource(500, ({ title, text }): readonly ReadChange[] => {
  const sentences = sentencesIn(text)
  return sentences.flatMap((sentence, at) => {
    const change = changeIn(sentence)
    if (!change) return []
    const read = readOf(sentence, title)
    const subject = termsOf(change.subject).words
    // “It was raised to 20”: the title or the sentence before names the subject
    const named = subject.size > 0 ? subject : termsOf(title || (sentences[at - 1]?.text ?? '')).words
    const meant = pronoun.test(sentence.text) ? termsOf(sentences[at - 1]?.text ?? '').words : []
    const about = new Set([...read.about, ...(subject.size > 0 ? meant : named)])
    const [before, after] = [termsOf(change.before), termsOf(change.after)]
    const isName = /^\P{L}*(?:the |our )?\p{Lu}/u.test(change.before)
    return [
      {
        ...read,
        about,
        kind: change.kind,
        subject: named,
        before,
        isName,
        after,
        now: change.after,
        unit: unitOf(change.after),
      },
    ]
  })
})

/** Such a sentence speaks of what the sentence before it names. */
const pronoun = /^\W*(?:it|its|they|their|this|these)\b/i

const sentencesRead = oncePerSource(1_000, ({ title, text }): readonly Read[] =>
  sentencesIn(text).map((one) => readOf(one, title)),
)

/** Those that are read of a text. */
export function sentencesIn(text: string): Sentence[] {
  return sentencesOf(text.slice(0, mostRead))
    .filter(({ isHeading }) => !isHeading)
    .slice(0, mostSentences)
}

function readOf({ text }: Sentence, title: string): Read {
  const { words, numbers } = termsOf(text)
  const about = new Set([...words, ...termsOf(title).words])
  return { sentence: text, words, about, numbers, isDenial: denial.test(text) }
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

function differ(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return others.size > 0 && common(some, others) < Math.max(some.size, others.size)
}
