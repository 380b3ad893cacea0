/** Reads the sentences of a text, and those among them that tell that something has changed. */
import { analyze } from '../text/analyzer.ts'
import { type Sentence, sentencesOf } from '../text/sentences.ts'
import { type Change, changeIn } from './changes.ts'
import { common } from './reading/common.ts'
import { quantityOf, unitOf } from './reading/quantities.ts'
import { mostRead, oncePerSource } from './reading/source.ts'

/** Sentences compared of one text. */
const mostSentences = 30

export interface Read {
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

export interface ReadChange {
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

/** The changes that a text tells, in its order. */
export const changesOf = oncePerSource(500, (source): readonly ReadChange[] => {
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
export interface Sentences {
  all: readonly Read[]
  /** By word or number: the places of the sentences that have it. */
  having: ReadonlyMap<string, readonly number[]>
}

/** The first sentences of a text, with their words. */
export const sentencesRead = oncePerSource(1_000, ({ title, text }): Sentences => {
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
export function sharedWith({ all, having }: Sentences, words: ReadonlySet<string>): Uint16Array {
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

export function termsOf(text: string): Terms {
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

export function sizeOf({ words, numbers }: Terms): number {
  return words.size + numbers.size
}

/** The sentence has all of it. Nothing is in no sentence. */
export function isIn({ words, numbers }: Terms, { words: own, numbers: ownNumbers }: Read): boolean {
  if (sizeOf({ words, numbers }) === 0) return false
  if (numbers.size > 0) return common(numbers, ownNumbers) === numbers.size
  return common(words, own) === words.size
}

/** Each word or number that isIn looks for is in some sentence. */
export function mayBeIn({ words, numbers }: Terms, { having }: Sentences): boolean {
  const terms = numbers.size > 0 ? numbers : words
  for (const one of terms) if (!having.has(one)) return false
  return terms.size > 0
}
