/** Reads server-sent events as text. */
export class EventSourceLike {
  static readonly #all = new Set<EventSourceLike>()
  readonly status: number
  readonly headers: Headers
  /** Resolves with everything received, once the stream has ended. */
  readonly ended: Promise<string>
  #got = ''
  readonly #abort: AbortController
  readonly #looks = new Set<() => void>()

  static async open(url: string, headers: Record<string, string>): Promise<EventSourceLike> {
    const abort = new AbortController()
    const answer = await fetch(url, { headers, signal: abort.signal })
    const made = new EventSourceLike(answer, abort)
    EventSourceLike.#all.add(made)
    return made
  }

  static closeAll(): void {
    for (const one of EventSourceLike.#all) one.close()
    EventSourceLike.#all.clear()
  }

  private constructor(answer: Response, abort: AbortController) {
    this.status = answer.status
    this.headers = answer.headers
    this.#abort = abort
    this.ended = this.#read(answer)
  }

  close(): void {
    this.#abort.abort()
  }

  /** Resolves once `pattern` was received or the stream has ended. */
  until(pattern: RegExp): Promise<string> {
    const seen = new Promise<string>((found) => {
      const look = () => pattern.test(this.#got) && found(this.#got)
      this.#looks.add(look)
      look()
    })
    return Promise.race([seen, this.ended])
  }

  async #read(answer: Response): Promise<string> {
    try {
      for await (const chunk of answer.body ?? []) {
        this.#got += Buffer.from(chunk).toString()
        for (const look of this.#looks) look()
      }
    } catch {
      // close() has aborted the request
    }
    return this.#got
  }
}
