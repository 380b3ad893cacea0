/** Answers with a problem if Node could not parse a request, like for every other error. */
import type { Socket } from 'node:net'
import type { Clock } from '../ports/clock.ts'
import { type ProblemCode, problem } from '../problem.ts'
import { problemBody, statusOf } from './base/problem.ts'

/** Bytes of request line and headers. A query of 2,000 emoji is valid, and percent-encoded it has 24,000 bytes. */
export const maxHeaderSize = 64 * 1024

/** `reason`: the code of Node's error. Ends the connection. */
export function refuseUnparsed(publicUrl: () => string, clock: Clock) {
  return (reason: string | undefined, socket: Socket): void => {
    if (reason === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const [code, detail] = reasons[reason ?? ''] ?? noHttp
    const id = clock.id()
    const body = JSON.stringify(problemBody(problem(code, detail), publicUrl(), id))
    socket.end(
      [
        `HTTP/1.1 ${statusOf(code)} ${code}`,
        'Content-Type: application/problem+json',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${id}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    )
  }
}

const noHttp: [ProblemCode, string] = ['invalid_request', 'This is not an HTTP/1.1 request.']
const lengths: [ProblemCode, string] = [
  'invalid_request',
  'Content-Length, Transfer-Encoding: send one of them, once, with a valid value.',
]
const reasons: Record<string, [ProblemCode, string]> = {
  HPE_HEADER_OVERFLOW: ['payload_too_large', `Request line and headers may have ${maxHeaderSize / 1024} KiB at most.`],
  ERR_HTTP_REQUEST_TIMEOUT: ['invalid_request', 'The request did not arrive in time.'],
  HPE_UNEXPECTED_CONTENT_LENGTH: lengths,
  HPE_INVALID_CONTENT_LENGTH: lengths,
  HPE_INVALID_TRANSFER_ENCODING: lengths,
}
