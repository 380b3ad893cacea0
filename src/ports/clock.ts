/** Time, randomness and ids come in by this port, so that tests decide them. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds since some moment. Ages are told by it: it goes on evenly when `now` is set back or ahead. */
  elapsed(): number
  /** A new uuid v7, greater than the one before. */
  id(): string
  /** From now on ids are greater than this one: the clock may have been set back since it was made. */
  idsFollow(id: string): void
  /** 0 ≤ x < 1. */
  random(): number
  sleep(ms: number): Promise<void>
}

/** ISO 8601 UTC with milliseconds and `Z`: the one form in which instants are stored, so that they compare as strings. */
export function instant(clock: Clock): string {
  return new Date(clock.now()).toISOString()
}

/** ms. When an id was made: the first 48 bits of a uuid v7. */
export function madeAt(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}
