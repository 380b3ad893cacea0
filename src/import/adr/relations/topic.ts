/** Finds which topic of another record a reference means, if it names one: `ADR 3 (retry policy)`, `0003-calls.md#retry`. */
import { statusAtStart } from '../metadata/status.ts'
import { fold } from './markers.ts'

/** Longer brackets tell something about the record. */
const mostWords = 5
/** They say which record, why, when or by whom, and name no topic. */
const noTopic =
  /^(?:a[nst]?|also|because|by|due|for|formerly|from|in|its?|never|not|now|of|same|see|since|still|that|this|to|too|was|which|who|weil|von|par|por|siehe|voir)\s|(?<!\p{L})(?:is|are|was|were|has|had|did|does|not|changed|different|fully|replaced|superseded|written)(?!\p{L})/u
/** Words for the record as a whole, and the sections that each record has. */
const general =
  /^(?:the|an?|of|on|about|and|und|et|y|der|die|das|adrs?|decisions?|records?|documents?|version|old|older|original|initial|former|previous|earlier|first|predecessor|internal|external|legacy|entire(?:ly)?|whole|all|complete(?:ly)?|full(?:y)?|link|wiki|repo(?:sitory)?|draft|title|top|summary|status|context|decision|outcome|rationale|consequences|options|links|ganz|vollstandig|komplett|entierement|totalmente|completamente)$/u

/** `around`: the text before the reference, and the text that follows it. */
export function topicAt({ head, tail: behind }: { head: string; tail: string }, url = ''): string | undefined {
  const decided = decisionIn.test(head) && /^\s+that\s+([^.;]{5,120})/su.exec(behind)?.[1]
  if (decided) return decided
  const inBrackets = /^\s*[(（]([^()（）]{3,60})[)）]/u.exec(behind)?.[1]
  return topicOf(inBrackets ?? '') ?? topicOf((/#(.{3,60})$/u.exec(url)?.[1] ?? '').replace(/[-_]+/g, ' '))
}

/** `the decision in [ADR 3] that the queue is kept`. */
const decisionIn = /(?<!\p{L})(?:decision|choice|rule|agreement)\s+(?:in|of|from)\s+(?:the\s+)?$/iu

function topicOf(text: string): string | undefined {
  const words = text.trim().split(/\s+/)
  const isName = words.every((word) => /^\p{Lu}/u.test(word))
  const mayBe = /^[\p{Script=Latin}\s’'/&-]+$/u.test(text) && words.length <= mostWords && !isName
  return mayBe && !noTopic.test(fold(text.trim())) && !statusAtStart(text) && wordsOf(text).length > 0
    ? text
    : undefined
}

/** Most of the words are in the title of the record, so they name the record and no topic of it. */
export function isFromTitle(topic: string, title: string): boolean {
  const inTitle = wordsOf(title)
  const words = wordsOf(topic)
  const known = words.filter((word) => inTitle.some((other) => isSame(word, other)))
  return known.length * 2 > words.length
}

const wordsOf = (text: string) =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !general.test(word))

/** `cache` and `caching`. */
function isSame(one: string, other: string): boolean {
  const length = Math.max(3, Math.min(one.length, other.length) - 1)
  return one === other || (one.length > 3 && one.slice(0, length) === other.slice(0, length))
}
