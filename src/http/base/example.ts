/** A request of a call and its answer, as the documents show them. */
export interface Example {
  /** The body of a POST; else the parameters of path and query by name. Left out: the call takes none. */
  request?: unknown
  /** Left out: the answer has no body. */
  response?: unknown
}
