/** Which retracted claims of a revision the next revision still makes (SEMANTICS 6). */
import type { SupersededClaim } from '../records/body.ts'
import type { PrecedentRecord } from '../records/record.ts'
import { claimsIn } from '../records/superseded-claims.ts'
import { sentencesOf } from '../text/sentences.ts'
import { partsOf, withoutStop } from './clauses.ts'
import { normalized } from './normalized.ts'

type Revision = Pick<PrecedentRecord, 'text' | 'mutable'>

/**
 * A retracted claim of `before` stays retracted if its whole sentence stands in `text` too; punctuation, case and line
 * breaks don't count. If the sentence was changed or removed, nobody has judged what the revision says instead.
 */
export function stillRetracted(before: Revision, text: string): SupersededClaim[] {
  const retracted = claimsIn(before.mutable)
  if (retracted.length === 0) return []
  const said = sentencesOf(before.text)
  const now = new Map(sentencesOf(text).map((sentence) => [normalized(sentence.text), sentence.text]))
  return retracted.flatMap((one) => {
    for (const sentence of said) {
      if (!sentence.text.includes(withoutStop(one.claim))) continue
      const same = now.get(normalized(sentence.text))
      const at = partsOf(sentence.text).findIndex((part) => withoutStop(part) === withoutStop(one.claim))
      const claim = at >= 0 && same !== undefined ? partsOf(same)[at] : one.claim
      if (claim !== undefined && same?.includes(claim)) return [{ ...one, claim }]
    }
    return []
  })
}
