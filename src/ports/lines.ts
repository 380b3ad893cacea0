/** Splits what an executor prints into lines, while it is read. All executors share it. */
import { StringDecoder } from 'node:string_decoder'
import { type Line, longestLine } from './executor.ts'

export interface LineSplitter {
  /** The lines that these bytes complete. Take all of them before the next call. */
  push(bytes: Uint8Array): Iterable<Line>
  /** What remains at the end, if its line has no end. */
  end(): Iterable<Line>
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Holds at most `longest` bytes of a line, however many arrive. */
export function lineSplitter(from: Line['from'], longest: number = longestLine): LineSplitter {
  let held = Buffer.alloc(0)
  let length = 0
  let isCut = false

  function hold(bytes: Uint8Array): void {
    const fitting = bytes.subarray(0, longest - length)
    if (fitting.length < bytes.length) isCut = true
    if (length + fitting.length > held.length) held = grown(length + fitting.length)
    held.set(fitting, length)
    length += fitting.length
  }

  // doubles, because an executor may print byte by byte
  function grown(least: number): Buffer<ArrayBuffer> {
    const larger = Buffer.alloc(Math.min(longest, Math.max(least, held.length * 2)))
    held.copy(larger, 0, 0, length)
    return larger
  }

  function complete(): Line {
    const line = { text: textOf(held.subarray(0, length), isCut), from, isCut }
    // an idle session holds nothing
    held = Buffer.alloc(0)
    length = 0
    isCut = false
    return line
  }

  return {
    *push(bytes) {
      let start = 0
      for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
        hold(bytes.subarray(start, end))
        start = end + 1
        yield complete()
      }
      hold(bytes.subarray(start))
    },
    *end() {
      if (length > 0 || isCut) yield complete()
    },
  }
}

function textOf(bytes: Buffer, isCut: boolean): string {
  // leaves out the part of a character before the cut
  if (isCut) return new StringDecoder('utf8').write(bytes)
  return bytes.toString('utf8', 0, bytes.at(-1) === carriageReturn ? bytes.length - 1 : bytes.length)
}
