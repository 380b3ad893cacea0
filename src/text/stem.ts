/**
 * Porter's stemmer of 1980, with the three changes that its author lists and that his published vocabulary has
 * (`bli` → `ble`, `logi` → `log`, words of one or two letters stay). Takes lower-case words of a to z.
 */
export function stem(word: string): string {
  if (word.length < 3) return word
  return step5(step4(step3(step2(step1c(step1b(step1a(word)))))))
}

function step1a(word: string): string {
  if (!word.endsWith('s')) return word
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('ss') ? word : word.slice(0, -1)
}

function step1b(word: string): string {
  if (word.endsWith('eed')) return measure(word, word.length - 3) > 0 ? word.slice(0, -1) : word
  const cut = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0
  if (cut === 0 || !hasVowel(word, word.length - cut)) return word
  const rest = word.slice(0, -cut)
  if (rest.endsWith('at') || rest.endsWith('bl') || rest.endsWith('iz')) return `${rest}e`
  if (endsDoubled(rest) && !/[lsz]$/.test(rest)) return rest.slice(0, -1)
  return measure(rest, rest.length) === 1 && endsShort(rest) ? `${rest}e` : rest
}

function step1c(word: string): string {
  return word.endsWith('y') && hasVowel(word, word.length - 1) ? `${word.slice(0, -1)}i` : word
}

type Suffixes = readonly (readonly [suffix: string, replacement: string])[]

// longer suffixes come before their own endings: only the first match is tried
const suffixes2: Suffixes = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
]

const suffixes3: Suffixes = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
]

const suffixes4 = 'al ance ence er ic able ible ant ement ment ent sion tion ou ism ate iti ous ive ize'.split(' ')

function step2(word: string): string {
  return replaced(word, suffixes2)
}

function step3(word: string): string {
  return replaced(word, suffixes3)
}

function replaced(word: string, suffixes: Suffixes): string {
  for (const [suffix, replacement] of suffixes) {
    if (!word.endsWith(suffix)) continue
    const length = word.length - suffix.length
    return measure(word, length) > 0 ? word.slice(0, length) + replacement : word
  }
  return word
}

function step4(word: string): string {
  for (const suffix of suffixes4) {
    if (!word.endsWith(suffix)) continue
    // sion and tion lose only `ion`
    const length = word.length - (suffix.endsWith('ion') ? 3 : suffix.length)
    return measure(word, length) > 1 ? word.slice(0, length) : word
  }
  return word
}

function step5(word: string): string {
  let result = word
  if (result.endsWith('e')) {
    const rest = result.slice(0, -1)
    const m = measure(rest, rest.length)
    if (m > 1 || (m === 1 && !endsShort(rest))) result = rest
  }
  return result.endsWith('ll') && measure(result, result.length) > 1 ? result.slice(0, -1) : result
}

/** y is a consonant at the start and after a vowel. */
function isConsonant(word: string, at: number): boolean {
  switch (word.charCodeAt(at)) {
    case 97: // a
    case 101: // e
    case 105: // i
    case 111: // o
    case 117: // u
      return false
    case 121: // y
      return at === 0 || !isConsonant(word, at - 1)
    default:
      return true
  }
}

/** Counts how often a consonant follows a vowel in the first `length` letters. */
function measure(word: string, length: number): number {
  let m = 0
  let afterVowel = false
  for (let at = 0; at < length; at++) {
    const consonant = isConsonant(word, at)
    if (consonant && afterVowel) m++
    afterVowel = !consonant
  }
  return m
}

function hasVowel(word: string, length: number): boolean {
  for (let at = 0; at < length; at++) if (!isConsonant(word, at)) return true
  return false
}

function endsDoubled(word: string): boolean {
  const last = word.length - 1
  return last > 0 && word[last] === word[last - 1] && isConsonant(word, last)
}

/** Ends in consonant, vowel, consonant, and the last letter is not w, x or y. */
function endsShort(word: string): boolean {
  const last = word.length - 1
  return (
    last > 1 &&
    isConsonant(word, last) &&
    !isConsonant(word, last - 1) &&
    isConsonant(word, last - 2) &&
    !/[wxy]$/.test(word)
  )
}
