/**
 * Claims that were superseded while their record stays in force (SEMANTICS 6): nothing is compared with them any more,
 * and nobody is asked about them.
 */
import type { About, AnyBody, Reason } from '../records/body.ts'
import { claimsIn } from '../records/superseded-claims.ts'
import { asksOfClaims } from './question.ts'
import { normal } from './rules.ts'
import { sentencesOf } from './sentences.ts'

/** What a row still claims in this text of it. Where not a sentence but a question in it was withdrawn, all stays. */
export function withoutRetracted(text: string, body: AnyBody): string {
  const gone = claimsIn(body)
  if (gone.length === 0) return text
  const sentences = new Set(sentencesOf(text).map((sentence) => sentence.text))
  return gone.reduce((left, { claim }) => (sentences.has(claim) ? left.replace(placesOf(claim), ' ') : left), text)
}

/** A sentence has a space where its writer wrapped his lines. */
function placesOf(sentence: string): RegExp {
  const words = sentence.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
  return new RegExp(`(?<![\\p{L}\\p{N}])${words.join('\\s+')}(?![\\p{L}\\p{N}])`, 'gu')
}

/** Whether what is asked about of a row was withdrawn from it. */
export function isRetracted(reason: Reason, { claim, whole }: About, body: AnyBody): boolean {
  if (whole || !asksOfClaims(reason)) return false
  return claimsIn(body).some((gone) => normal(gone.claim) === normal(claim))
}
