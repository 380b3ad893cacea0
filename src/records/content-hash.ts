/**
 * Tells whether two contents say the same in the same words: spacing, the case of words and the composition of
 * characters don't count. Where they may mean something they do: 10² is not 102, 5 mA not 5 MA, -v not -V, and a line of
 * code has its indentation. To keep a text twice costs little, to take it for another one loses it.
 */
import { hash } from 'node:crypto'
import { normalForm } from '../text/normal-form.ts'

/** Characters of a hash: 132 bits. It is a key of an index, and stands beside every record. */
const kept = 22

export function normalisedHash(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts.map(normalised)), 'base64url').slice(0, kept)
}

function normalised(text: string): string {
  return normalForm(text, 'NFC')
    .trim()
    .replace(unitOrFlagOrWord, (word, itsCaseCounts?: string) => itsCaseCounts ?? word.toLowerCase())
    .replace(indentationOrSpace, (_, indentation?: string) => (indentation === undefined ? ' ' : `\n${indentation}`))
}

const unitOrFlagOrWord = /((?:\d\s?|(?<![\p{L}\p{N}])-{1,2})\p{L}+)|\p{L}+/gu
const indentationOrSpace = /\s*\n([\t ]+)(?=\S)|\s+/gu

/** Byte for byte the same. */
export function exactHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, kept)
}
