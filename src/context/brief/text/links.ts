/**
 * Reduces links of Markdown to their labels and removes images. Scans by hand: on a text of brackets regular
 * expressions would take quadratic time.
 */

/** UTF-16 units of a label in brackets, and of an address in parentheses. */
const longestLabel = 300
const longestAddress = 500

export function withoutLinks(text: string): string {
  return withoutBrackets(withoutReferences(withoutImages(text)))
}

/** `![label](address)` */
function withoutImages(text: string): string {
  const addressEnd = nextIn(text, ')')
  return replaced(text, '![', (_, close) => {
    const end = text[close + 1] === '(' ? within(addressEnd, close + 2, longestAddress) : -1
    return end < 0 ? undefined : { kept: '', end: end + 1 }
  })
}

/** `[label](address)`, `[label][name]` */
function withoutReferences(text: string): string {
  const [addressEnd, nameEnd] = [nextIn(text, ')'), nextIn(text, ']')]
  return replaced(text, '[', (begin, close) => {
    if (close === begin) return undefined
    const sign = text[close + 1]
    const end =
      sign === '('
        ? within(addressEnd, close + 2, longestAddress)
        : sign === '['
          ? within(nameEnd, close + 2, longestLabel)
          : -1
    return end < 0 ? undefined : { kept: text.slice(begin, close), end: end + 1 }
  })
}

/** `[label]` within one line; `[3]` stays, because it is a citation. */
function withoutBrackets(text: string): string {
  const lineEnd = nextIn(text, '\n')
  return replaced(text, '[', (begin, close) => {
    const line = lineEnd(begin)
    if (close - begin < 2 || (line >= 0 && line < close)) return undefined
    const kept = text.slice(begin, close)
    return /^\d+$/.test(kept) ? undefined : { kept, end: close + 1 }
  })
}

/**
 * `take` gets the positions of a label and of its closing bracket; it returns the text to keep and where to continue.
 */
function replaced(
  text: string,
  open: string,
  take: (begin: number, close: number) => { kept: string; end: number } | undefined,
): string {
  const closes = nextIn(text, ']')
  let kept = ''
  let from = 0
  for (let at = text.indexOf(open); at >= 0; ) {
    const begin = at + open.length
    const close = within(closes, begin, longestLabel)
    const taken = close < 0 ? undefined : take(begin, close)
    if (taken) {
      kept += text.slice(from, at) + taken.kept
      from = taken.end
    }
    at = text.indexOf(open, taken ? from : at + 1)
  }
  return kept + text.slice(from)
}

/** The next position of a sign, or -1. Call with ascending positions: the text is scanned once. */
function nextIn(text: string, sign: string): (from: number) => number {
  let next = -2
  return (from) => {
    if (next !== -1 && next < from) next = text.indexOf(sign, from)
    return next
  }
}

function within(next: (from: number) => number, from: number, most: number): number {
  const at = next(from)
  return at >= 0 && at - from <= most ? at : -1
}
