/**
 * Finds the position of the first error in malformed JSON. V8's messages do not always contain it, so the text is read
 * again.
 */

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma' | 'end'

const literals = ['true', 'false', 'null']
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** The index of the first character that is not allowed at its position. If the text ends too early: its length. */
export function jsonErrorAt(text: string): number {
  const open: ('[' | '{')[] = []
  let expected: Expected = 'value'
  let at = 0
  const afterValue = (): Expected => (open.length === 0 ? 'end' : 'comma')

  for (;;) {
    while (isSpace(text.charCodeAt(at))) at += 1
    if (at >= text.length) return text.length
    const character = text[at] as string
    const inside = open.at(-1)

    if (expected === 'end') return at
    if (expected === 'comma') {
      if (character === ',') expected = inside === '[' ? 'value' : 'name'
      else if (character === (inside === '[' ? ']' : '}')) {
        open.pop()
        expected = afterValue()
      } else return at
      at += 1
    } else if (expected === 'colon') {
      if (character !== ':') return at
      expected = 'value'
      at += 1
    } else if (expected === 'name' || expected === 'name or }') {
      if (character === '}' && expected === 'name or }') {
        open.pop()
        expected = afterValue()
        at += 1
        continue
      }
      if (character !== '"') return at
      const end = stringEnd(text, at)
      if (end.error) return end.at
      at = end.at
      expected = 'colon'
    } else if (character === ']' && expected === 'value or ]') {
      open.pop()
      expected = afterValue()
      at += 1
    } else if (character === '[' || character === '{') {
      open.push(character)
      expected = character === '[' ? 'value or ]' : 'name or }'
      at += 1
    } else {
      const end = character === '"' ? stringEnd(text, at) : plainEnd(text, at)
      if (end.error) return end.at
      at = end.at
      expected = afterValue()
    }
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

interface End {
  at: number
  error: boolean
}

/** `at`: the index of the opening quote. */
function stringEnd(text: string, at: number): End {
  for (let here = at + 1; here < text.length; here += 1) {
    const code = text.charCodeAt(here)
    if (code === 0x22) return { at: here + 1, error: false }
    if (code < 0x20) return { at: here, error: true }
    if (code !== 0x5c) continue
    here += 1
    if (here >= text.length) break
    if (text[here] === 'u') {
      let digits = 0
      while (digits < 4 && isHex(text.charCodeAt(here + 1 + digits))) digits += 1
      if (digits < 4) return { at: Math.min(here + 1 + digits, text.length), error: true }
      here += 4
    } else if (!'"\\/bfnrt'.includes(text[here] as string)) return { at: here, error: true }
  }
  return { at: text.length, error: true }
}

function isHex(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66)
}

function plainEnd(text: string, at: number): End {
  const literal = literals.find((word) => text.startsWith(word, at))
  const end = literal === undefined ? after(number, text, at) : at + literal.length
  return end === undefined ? { at, error: true } : { at: end, error: false }
}

function after(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}
