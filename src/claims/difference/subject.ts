/** Whether two sentences are about two things of one kind: “sensor data” and “personal data”, “the meeting with Velta”. */
import { oncePerText } from '../../text/once-per-text.ts'
import { readClause } from '../reading/clause.ts'

/** Both sentences qualify the same word, each by words that the other one does not have. */
export function haveOtherSubjects(a: string, b: string): boolean {
  const [one, other] = [subjectsIn(a), subjectsIn(b)]
  return one.kinds.some(({ thing, kind }) => {
    const others = other.kinds.filter((of) => of.thing === thing)
    return others.length > 0 && !other.words.has(kind) && !others.some((of) => one.words.has(of.kind))
  })
}

/** A word that tells a thing from others of its kind: “sensor” of data, “Velta” of “the meeting with”. */
interface Kind {
  thing: string
  kind: string
}

/** The subject is among so many first words of a sentence. Behind them, only a name tells which thing is meant. */
const ofSubject = 4
/** What follows a noun, but hardly a verb. */
const afterNoun = /^(?:is|are|was|were|must|may|can|will|ha[sd]|have|of|for|from|in|on|at|that|which|who|older|[:,(])$/
const isArticle = /^(?:the|our|an?)$/

const subjectsIn = oncePerText(1_000, (text) => {
  const { tokens, words, names } = readClause(text)
  const start = isArticle.test(tokens[0]?.lower ?? '') ? 1 : 0
  const kinds: Kind[] = []
  const [first, second, third] = tokens.slice(start)
  if (first && second && words.has(first.meaning) && words.get(second.meaning) === 1) {
    // “Ada cleans the depot”, “drivers clean the depot”
    const isVerb = /[^s]s$/.test(first.lower) || (/(?:s|ed)$/.test(second.lower) && !afterNoun.test(third?.lower ?? ''))
    if (!isVerb) kinds.push({ thing: `_ ${second.meaning}`, kind: first.meaning })
  }
  for (const [at, { meaning: thing }] of tokens.entries()) {
    const next = tokens[at + 1]?.lower ?? ''
    const kind = tokens[at + (isArticle.test(tokens[at + 2]?.lower ?? '') ? 3 : 2)]?.meaning ?? ''
    const tells =
      at < start + ofSubject ? /^(?:of|for|in|with|from|to|at)$/ : names.has(kind) ? /^(?:for|of|with)$/ : /^$/
    if (words.get(thing) === 1 && tells.test(next) && words.has(kind)) kinds.push({ thing: `${thing} ${next}`, kind })
  }
  return { words, kinds }
})
