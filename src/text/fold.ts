/**
 * Folds case, compatibility forms and diacritics, so that `Straße`, `STRASSE` and `strasse` are one word, and `ＡＢＣ`
 * is `abc`. Folding is idempotent. Vowel signs stay in scripts that spell with them.
 */
import { normalForm } from './normal-form.ts'

export function fold(text: string): string {
  const lower = lowerCased(normalForm(text, 'NFKD').replace(invisible, ''))
  const bare = lower.replace(diacritics, '').replace(letters, (letter) => replacements[letter] ?? letter)
  return normalForm(bare, 'NFC')
}

/** Lower case, decomposed again: lower-casing can produce composed characters. */
function lowerCased(text: string): string {
  return normalForm(text.toLowerCase(), 'NFKD')
}

// soft hyphen, joiners, variation selectors, byte order mark: they occur inside words without meaning
const invisible = /\u00ad|\u034f|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/g

// of Latin, Greek and Cyrillic; the marks of Indic, Thai or Hebrew letters belong to the spelling
const diacritics = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g

const letters = /[ßæœøðþđħıĸłŋŧςƒ]/g

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
}
