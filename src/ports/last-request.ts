/** When this process last served a request, so that background work can go more slowly meanwhile. */
import type { Clock } from './clock.ts'

let last = Number.NEGATIVE_INFINITY

/** Call it when a request begins, and when it was answered. */
export function requestServed({ elapsed }: Pick<Clock, 'elapsed'>): void {
  last = elapsed()
}

/** Whether a request began or was answered in the last `ms`. */
export function servedWithin({ elapsed }: Pick<Clock, 'elapsed'>, ms: number): boolean {
  return elapsed() - last <= ms
}
