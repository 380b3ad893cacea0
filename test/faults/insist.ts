/** Repeats a request while the answer is 503, as callers should. */
import { expect } from 'vitest'
import type { Answer } from '../support/http.ts'
import { recovery, sleep } from './load.ts'

/** The number of 503 answers. */
export interface Told {
  unavailable: number
}

/** ms. Shorter than Retry-After, so that the test is harder for the service. */
const againAfter = 200

/** The first answer other than 503. */
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
