/**
 * Words that are like a word of a query that no record holds: one edit away, or its beginning or end. They are spelt here
 * and looked up by the engine, so no word is used that only hidden records hold. Longer words come from the engine
 * (context/query-words.ts).
 */

import { stemWord } from './stem-word.ts'

export interface Alternative {
  term: string
  /** 0 to 1. */
  likeness: number
}

/** Letters of a word that may be misspelt; in shorter ones an edit makes another word too often. */
const shortest = 4
const longest = 30
/** Letters that a beginning or end of the word has at least. */
const shortestPart = 4

/** An engine counts 2,000 terms at once. It counts longer words too. Only the longest words have more spellings. */
const mostSpellings = 1_980

/** One edit puts in a letter of the same alphabet. There are no letters with accents: terms have none (fold.ts). */
const alphabets = [
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдежзийклмнопрстуфхцчшщъыьэюяєіґ',
  'αβγδεζηθικλμνξοπρστυφχψω',
  // fold.ts has made one letter of those that are written alike
  'ابتثجحخدذرزسشصضطظعغفقكلمنهوي',
].map((letters) => ({ letters, only: new RegExp(`^[${letters}]+$`) }))

/** `v1.2` and `1.2` are the same version. */
const version = /^v?(?=\d+\.\d)[\d.]+$/

/** Spellings to look up, with their stems, likest first. None if the word is not written in one of the alphabets. */
export function spellingsOf(word: string): Alternative[] {
  if (version.test(word)) return [{ term: word.startsWith('v') ? word.slice(1) : `v${word}`, likeness: 1 }]
  const alphabet = alphabets.find(({ only }) => only.test(word))
  if (alphabet === undefined || word.length < shortest || word.length > longest) return []
  const found = new Map<string, number>()
  const add = (spelling: string, likeness: number) => {
    // a mistake in an ending hides it from the stemmer, so the right spelling is stemmed again
    for (const term of [spelling, stemWord(spelling)]) {
      if (term !== word && term.length > 2 && !found.has(term)) found.set(term, likeness)
    }
  }
  const one = 1 - 1 / (word.length + 1)
  for (let at = 1; at < word.length; at++) {
    add(word.slice(0, at - 1) + word[at] + word[at - 1] + word.slice(at + 1), one)
  }
  for (let at = 0; at < word.length; at++) add(word.slice(0, at) + word.slice(at + 1), one)
  for (const letter of alphabet.letters) {
    for (let at = 0; at <= word.length; at++) {
      add(word.slice(0, at) + letter + word.slice(at), one)
      if (at < word.length) add(word.slice(0, at) + letter + word.slice(at + 1), one)
    }
  }
  for (let length = word.length - 1; length >= shortestPart; length--) {
    add(word.slice(0, length), length / word.length)
    add(word.slice(-length), length / word.length)
  }
  const all = [...found].map(([term, likeness]) => ({ term, likeness })).sort((x, y) => y.likeness - x.likeness)
  return all.slice(0, mostSpellings)
}
