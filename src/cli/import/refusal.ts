/** Something that was not imported, and where it stands. */
export interface Place {
  /** From the root of what is imported. */
  file: string
  line: number
}

export interface Refusal extends Place {
  code: string
  message: string
}
