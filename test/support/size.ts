/**
 * How many tries the tests with random histories and with faults make. `npm test` makes a tenth of the usual ones, so that
 * it ends in minutes; its seeds differ each time. FAULTS=usual makes all, FAULTS=full (npm run faults) takes an hour.
 */
const size = process.env.FAULTS ?? 'short'

export const full = size === 'full'
export const short = size === 'short'

/** The number of tries: all `usual` ones, or a tenth of them. */
export function tries(usual: number): number {
  return short ? Math.ceil(usual / 10) : usual
}
