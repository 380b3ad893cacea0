/**
 * How much the tests with random histories and with faults try. `npm test` tries 40 % of what must pass before a change
 * lands, so that it ends in minutes. FAULTS=usual tries all of it, FAULTS=full (npm run faults) takes an hour.
 */
const size = process.env.FAULTS ?? 'short'

export const full = size === 'full'

/** The number of tries: all `usual` ones, or 40 % of them. */
export function tries(usual: number): number {
  return size === 'short' ? Math.ceil(usual * 0.4) : usual
}
