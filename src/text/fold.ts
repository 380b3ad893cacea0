/**
 * Folds case, compatibility forms and diacritics, so that `Straße`, `STRASSE` and `strasse` are one word, and `ＡＢＣ`
 * is `abc`; decimal digits of all scripts become ASCII digits. Arabic loses vowel signs, tatweel and hamza marks, and the
 * the forms of the letters alef, yeh, kaf and teh marbuta become one form each. Folding is idempotent. Vowel signs stay in scripts that
 * spell with them.
 */
import { normalForm } from './normal-form.ts'

export function fold(text: string): string {
  const lower = lowerCased(normalForm(text, 'NFKD').replace(invisible, ''))
  const bare = lower.replace(diacritics, '').replace(letters, (letter) => replacements[letter] ?? letter)
  return normalForm(bare.replace(otherDigits, asciiDigit), 'NFC')
}

/** Digits of one script follow each other, 0 first. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) as number
  let zero = code
  while (anyDigit.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}
const otherDigits = /(?![0-9])\p{Nd}/gu
const anyDigit = /\p{Nd}/u

/** Lower case, decomposed again: lower-casing can produce composed characters. */
function lowerCased(text: string): string {
  return normalForm(text.toLowerCase(), 'NFKD')
}

// soft hyphen, zero-width spaces and joiners, signs of direction, variation selectors, byte order mark: they occur inside
// words without meaning
const invisible =
  /\u00ad|\u034f|\u061c|\u180e|\u200b|\u200c|\u200d|\u200e|\u200f|[\u202a-\u202e]|[\u2060-\u2064]|[\u2066-\u206f]|[\ufe00-\ufe0f]|\ufeff/g

// of Latin, Greek, Cyrillic and Arabic, with tatweel; the marks of Indic, Thai or Hebrew letters belong to the spelling.
// й is a letter of its own, and endings depend on it
const diacritics =
  /(?<!\u0438)\u0306|[\u0300-\u0305\u0307-\u036f]|\u0640|[\u0610-\u061a]|[\u064b-\u065f]|\u0670|[\u06d6-\u06dc]|[\u06df-\u06e4]|[\u06e7\u06e8]|[\u06ea-\u06ed]|[\u08d3-\u08e1]|[\u08e3-\u08ff]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]/g

const letters = /[ßæœøðþđħıĸłŋŧςƒٱىیکہھةە]/g

const replacements: { readonly [letter: string]: string } = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ð: 'd',
  þ: 'th',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ĸ: 'k',
  ł: 'l',
  ŋ: 'n',
  ŧ: 't',
  ς: 'σ',
  ƒ: 'f',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ہ: 'ه',
  ھ: 'ه',
  ة: 'ه',
  ە: 'ه',
}
