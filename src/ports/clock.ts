/** The port for time, randomness and ids, so that tests control them. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /**
   * Monotonic milliseconds from an arbitrary start. Use it to measure ages: changes of the system clock don't affect
   * it.
   */
  elapsed(): number
  /** A new uuid v7, greater than the one before. */
  id(): string
  /** Makes all later ids greater than this one. The system clock may have been set back since it was made. */
  idsFollow(id: string): void
  /** 0 ≤ x < 1. */
  random(): number
  sleep(ms: number): Promise<void>
}

/**
 * The current time as ISO 8601 in UTC with milliseconds and `Z`. All instants are stored so, and compare as strings.
 */
export function instant(clock: Clock): string {
  return new Date(clock.now()).toISOString()
}

/** When an id was made, in ms since the epoch: the first 48 bits of a uuid v7. */
export function madeAt(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}
