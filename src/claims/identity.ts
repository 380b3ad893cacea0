/** Finds names that fit two entities (ambiguous_identity): the records tell them apart only by ids, which no reader sees. */
import type { Entity } from '../records/record.ts'
import { literal } from '../text/literal.ts'
import { ownWords } from '../text/sentences.ts'

interface Naming {
  text: string
  entities: readonly Entity[]
}

/** A name in a text and the entity that the record means by it. */
interface Mention {
  type: string
  /** The name as written. */
  written: string
  entity: { id: string; name: string }
  /** The text says which one it means: “Maria Lopez (Legal)”, “Maria Lopez of Operations”, “Alex Weiss”. */
  isClear: boolean
}

/** Entities read of one record. */
const mostEntities = 20
/** UTF-16 units read of one text: it names its subjects early. */
const mostRead = 4_000
/** UTF-16 units. A shorter name fits too many entities. */
const shortest = 3

export function ambiguityOf(a: Naming, b: Naming) {
  const others = mentionsOf(b)
  for (const { type, written, entity, isClear } of mentionsOf(a)) {
    const other = others.find(
      (one) => one.written === written && one.type === type && one.entity.id !== entity.id && !(one.isClear && isClear),
    )
    if (other) return { written, type, a: entity, b: other.entity }
  }
  return undefined
}

function mentionsOf({ text, entities }: Naming): Mention[] {
  if (entities.length === 0) return []
  const own = ownWords(text.slice(0, mostRead))
  if (/\b(?:not to be confused|namesake|the other)\b/i.test(own)) return []
  return entities.slice(0, mostEntities).flatMap(({ type, id, name }) => {
    if (id === undefined || name === undefined) return []
    // the longest form that occurs
    for (const written of formsOf(name)) {
      const end = endOf(own, written)
      if (end !== undefined) return [{ type, written, entity: { id, name }, isClear: saysWhich.test(own.slice(end)) }]
    }
    return []
  })
}

const saysWhich = /^(?:['’]s)?\s*(?:\(|, (?:the|our|a|an)\s|(?:of|from|in|at)\s+(?:the\s+)?\p{Lu}|\p{Lu}\p{L}|\d)/u

/** Longest first: “Jon Smith”, “Jon”, “J. Smith”, and beginnings of a first name, such as “Alex” for Alexandra. */
function formsOf(name: string): string[] {
  const words = name.split(/\s+/)
  const [first, last] = [words[0] as string, words.at(-1) as string]
  const beginnings = words.map((_, at) => words.slice(0, words.length - at).join(' '))
  const withInitial = words.length > 1 ? [`${first[0]}. ${last}`] : []
  const short = /^\p{Lu}\p{Ll}/u.test(first) ? Array.from(first, (_, at) => first.slice(0, -at - 1)) : []
  return [...beginnings, ...withInitial, ...short].filter(({ length }) => length >= shortest)
}

/** Where the first place of a name in the text ends. */
function endOf(text: string, name: string): number | undefined {
  const found = new RegExp(`(?<![\\p{L}\\p{N}_-])${literal(name)}(?![\\p{L}\\p{N}_]|-\\p{L})`, 'u').exec(text)
  return found ? found.index + name.length : undefined
}
