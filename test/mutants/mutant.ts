/** A fault put into the code on purpose: the named tests must fail with it. */
export interface Mutant {
  /** The rule that it breaks, such as `PROTOCOL 2.4: a row replaces only an older sequence`. */
  rule: string
  file: string
  /** Occurs exactly once in the file. */
  find: string
  replace: string
  /** Test files that run the source, not the built service. At least one of their tests must fail. */
  killedBy: readonly string[]
}
