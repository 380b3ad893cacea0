/** Asks as callers should: who is told that the service is not available for the moment comes again, with the same. */
import { expect } from 'vitest'
import type { Answer } from '../support/http.ts'
import { recovery, sleep } from './load.ts'

/** How often callers were told to come again. */
export interface Told {
  unavailable: number
}

/** ms. Sooner than callers are asked to: a test makes it no easier. */
const againAfter = 200

/** The first answer that is no 503. */
export async function insist<Body>(told: Told, ask: () => Promise<Answer<Body>>): Promise<Answer<Body>> {
  const until = Date.now() + recovery
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503 || Date.now() > until) return answer
    expect(Number(answer.headers.get('retry-after')), 'a 503 says when to come again').toBeGreaterThan(0)
    expect(answer.body).toMatchObject({ code: 'unavailable', retryable: true })
    told.unavailable++
    await sleep(againAfter)
  }
}
