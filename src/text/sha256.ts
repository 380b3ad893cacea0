/**
 * SHA-256 in JavaScript, for what the import computes on the command line and in browsers alike. Browsers have it only on
 * pages with TLS, and Node only in node:crypto.
 */
export interface Sha256 {
  update(data: string | Uint8Array): Sha256
  /** The hash of all data, in hexadecimal. Call it once. */
  hex(): string
}

const blockBytes = 64
const { constants, start } = tables()

export function sha256Of(text: string): string {
  return createSha256().update(text).hex()
}

export function createSha256(): Sha256 {
  const state = Uint32Array.from(start)
  const words = new Uint32Array(64)
  const block = new Uint8Array(blockBytes)
  const view = new DataView(block.buffer)
  let inBlock = 0
  let bytes = 0

  function add(data: Uint8Array): void {
    for (let at = 0; at < data.length; ) {
      const some = data.subarray(at, at + blockBytes - inBlock)
      block.set(some, inBlock)
      inBlock += some.length
      at += some.length
      if (inBlock < blockBytes) return
      compress(state, view, words)
      inBlock = 0
    }
  }

  const hash: Sha256 = {
    update(data) {
      const added = typeof data === 'string' ? new TextEncoder().encode(data) : data
      bytes += added.length
      add(added)
      return hash
    },
    hex() {
      // a one, zeros up to the end of a block, and the number of bits
      const zeros = (2 * blockBytes - 9 - inBlock) % blockBytes
      const end = new Uint8Array(1 + zeros + 8)
      end[0] = 0x80
      new DataView(end.buffer).setBigUint64(1 + zeros, BigInt(bytes) * 8n)
      add(end)
      return [...state].map((word) => word.toString(16).padStart(8, '0')).join('')
    },
  }
  return hash
}

function compress(state: Uint32Array, block: DataView, words: Uint32Array): void {
  for (let at = 0; at < 16; at++) words[at] = block.getUint32(at * 4)
  for (let at = 16; at < 64; at++) {
    const [second, fifteenth] = [words[at - 2] as number, words[at - 15] as number]
    const low = rotated(fifteenth, 7) ^ rotated(fifteenth, 18) ^ (fifteenth >>> 3)
    const high = rotated(second, 17) ^ rotated(second, 19) ^ (second >>> 10)
    words[at] = (words[at - 16] as number) + low + (words[at - 7] as number) + high
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let at = 0; at < 64; at++) {
    const chosen = (e & f) ^ (~e & g)
    const mixed = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
    const first = (h + mixed + chosen + (constants[at] as number) + (words[at] as number)) | 0
    const most = (a & b) ^ (a & c) ^ (b & c)
    const second = ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + most) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] as number) + word
}

function rotated(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

/** The fractions of the cube roots of the first 64 primes, and of the square roots of the first 8. */
function tables() {
  const primes: number[] = []
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  const fraction = (root: number) => ((root % 1) * 2 ** 32) | 0
  return {
    constants: Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    start: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  }
}
