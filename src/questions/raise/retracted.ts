/**
 * Retracted claims: claims that were superseded while their record stays in force (SEMANTICS 6). They are not compared any
 * more, and questions about them close.
 */
import type { About, AnyMutable, Reason } from '../../records/body.ts'
import { claimsIn } from '../../records/superseded-claims.ts'
import { sentencesOf } from '../../text/sentences.ts'
import { asksOfClaims } from '../question.ts'
import { normalized } from './rules.ts'

/** The text without its retracted sentences. A retracted question inside a sentence leaves the sentence as it is. */
export function withoutRetracted(text: string, mutable: AnyMutable): string {
  const retracted = claimsIn(mutable)
  if (retracted.length === 0) return text
  const sentences = new Set(sentencesOf(text).map((sentence) => sentence.text))
  return retracted.reduce((left, { claim }) => (sentences.has(claim) ? left.replace(placesOf(claim), ' ') : left), text)
}

/** Matches the sentence in the text, even if the text has a line break within it. */
function placesOf(sentence: string): RegExp {
  const words = sentence.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
  return new RegExp(`(?<![\\p{L}\\p{N}])${words.join('\\s+')}(?![\\p{L}\\p{N}])`, 'gu')
}

/** Whether the claim that a question is about was retracted from its record. */
export function isRetracted(reason: Reason, { claim, whole }: About, mutable: AnyMutable): boolean {
  if (whole || !asksOfClaims(reason)) return false
  return claimsIn(mutable).some((retracted) => normalized(retracted.claim) === normalized(claim))
}
