/**
 * Hashes contents so that equal wording gives equal hashes: spacing, the case of words and Unicode composition are
 * ignored. They count where they can carry meaning: 10² is not 102, 5 mA not 5 MA, -v not -V, and indentation stays.
 * When in doubt two contents differ: a duplicate record costs little, merging two different ones loses one of them.
 */
import { hash } from 'node:crypto'
import { normalForm } from '../text/normal-form.ts'

/** Characters of a hash: 132 bits. Short, because it is stored with every record and indexed. */
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

/** Equal only for texts that are equal byte for byte. */
export function exactHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, kept)
}
