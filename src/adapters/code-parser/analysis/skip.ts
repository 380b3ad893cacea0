/** Which files are not parsed. Cheap: nothing is decoded but files in UTF-16. */
import type { Skipped } from '../../../ports/code-parser.ts'
import { utf16Of } from '../../../text/source-text.ts'

/** Bytes. Larger sources are generated. */
export const mostBytes = 512 * 1024
/** Bytes of the beginning in which a NUL byte tells a binary file, as git looks for it. */
const nulWithin = 8 * 1024
/** Bytes. Nobody writes longer lines by hand. */
const longLine = 1_000
/** Bytes. A smaller file is not called minified: it costs nothing. */
const leastMinified = 4 * 1024
/** Bytes. Pointers are smaller. */
const mostPointer = 1_024
const pointerStart = 'version https://git-lfs.github.com/spec/v1'

/** Undefined: it can be parsed. */
export function skipReason(bytes: Uint8Array): Skipped | undefined {
  if (isPointer(bytes)) return 'lfs_pointer'
  if (bytes.length > mostBytes) return 'too_large'
  if (utf16Of(bytes) === undefined && bytes.subarray(0, nulWithin).includes(0)) return 'binary'
  return isMinified(bytes) ? 'minified' : undefined
}

function isPointer(bytes: Uint8Array): boolean {
  return (
    bytes.length < mostPointer &&
    Buffer.from(bytes.subarray(0, pointerStart.length)).toString('latin1') === pointerStart
  )
}

function isMinified(bytes: Uint8Array): boolean {
  if (bytes.length < leastMinified) return false
  let inLong = 0
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from)
    const next = end < 0 ? bytes.length : end + 1
    if (next - from > longLine) inLong += next - from
    from = next
  }
  return inLong * 2 > bytes.length
}
