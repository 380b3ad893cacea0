/** The place of an item in the source. */
export interface Place {
  /** Path relative to the root of the import. */
  file: string
  line: number
}

/** An item that was not imported. */
export interface Refusal extends Place {
  code: string
  message: string
}
