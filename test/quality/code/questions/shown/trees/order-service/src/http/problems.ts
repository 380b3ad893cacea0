import type { ServerResponse } from 'node:http'

export class Problem extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

export const problem = (status: number, message: string) => new Problem(status, message)

/** Whatever isn't a Problem is our own fault, so its text is never shown to the caller. */
export function toResponse(error: unknown, response: ServerResponse) {
  const known = error instanceof Problem ? error : problem(500, 'Something went wrong')
  if (known.status === 500) console.error('unexpected failure', error)
  response.writeHead(known.status, { 'content-type': 'application/problem+json' })
  response.end(JSON.stringify({ status: known.status, title: known.message }))
}
