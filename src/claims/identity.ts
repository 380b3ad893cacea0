/** Finds names that fit two entities (ambiguous_identity): the records tell them apart only by ids, which no reader sees. */
import type { Entity } from '../records/record.ts'
import { ownWords } from '../text/sentences.ts'

/** A name in a text and the entity that the record means by it. */
interface Mention {
  type: string
  /** The name in lower case. */
  form: string
  /** The name as written. */
  written: string
  entity: { id: string; name: string }
}

interface Ambiguity {
  written: string
  type: string
  a: Mention['entity']
  b: Mention['entity']
}

interface Naming {
  text: string
  entities: readonly Entity[]
}

/** Entities read of one record. */
const mostEntities = 20
/** UTF-16 units read of one text: it names its subjects early. */
const mostRead = 4_000
/** UTF-16 units. A shorter name fits too many entities. */
const shortest = 3

export function ambiguityOf(a: Naming, b: Naming): Ambiguity | undefined {
  const others = mentionsOf(b)
  for (const one of mentionsOf(a)) {
    const other = others.find(
      ({ form, type, entity }) => form === one.form && type === one.type && entity.id !== one.entity.id,
    )
    if (other) return { written: one.written, type: one.type, a: one.entity, b: other.entity }
  }
  return undefined
}

/** The names in a text, except those that the text itself makes clear, as “Maria Lopez (Legal)”. */
function mentionsOf({ text, entities }: Naming): Mention[] {
  if (entities.length === 0) return []
  const own = ownWords(text.slice(0, mostRead))
  if (/\b(?:not to be confused|namesake|the other)\b/i.test(own)) return []
  return entities.slice(0, mostEntities).flatMap(({ type, id, name }) => {
    if (id === undefined || name === undefined) return []
    const written = formIn(own, name)
    if (written === undefined) return []
    return [{ type, form: written.toLowerCase(), written, entity: { id, name } }]
  })
}

/** The words by which a text names the entity: the longest form of its name that occurs, or a short form of it. */
function formIn(text: string, name: string): string | undefined {
  for (const form of formsOf(name)) {
    const found = placeOf(text, form)
    if (found === undefined) continue
    return isClarified(text, found, form) ? undefined : form
  }
  return shortForm(text, name.split(/\s+/)[0] as string)
}

/** Longest first: the full name and its beginnings, “J. Smith”, “Jon S.”, “Smith”, nicknames. */
function formsOf(name: string): string[] {
  const words = name.split(/\s+/)
  const [first, last] = [words[0] as string, words.at(-1) as string]
  const beginnings = words.map((_, at) => words.slice(0, words.length - at).join(' '))
  const isFull = words.length > 1 && /^\p{Lu}\p{L}{2,}$/u.test(last)
  const others = isFull ? [`${first[0]}. ${last}`, `${first} ${last[0]}.`, last] : []
  return [...beginnings, ...others, ...nicknamesOf(first)].filter(({ length }) => length >= shortest)
}

/** Short names that are not a beginning of the long one. */
const nicknames = `michael mikael mikhail mike mick|robert rob bob bobby|william bill will billy|richard rick dick|elizabeth elisabeth liz beth lisa
katherine catherine katharina kate kathy cathy|margaret margarete maggie peggy|anthony antonio tony|james jim jimmy|john jonathan jack johnny
edward ed ted|theodore theodor ted theo|alexander alexandra sandy sasha sascha alex|francisco paco|josé jose pepe|johannes hans|susanna susanne sue
joseph josef joe|charles chuck charlie|henry heinrich hank heinz harry|andrew andreas andy drew|christopher christian chris kit|david dave|stephen steven steve`
const groups = nicknames.split(/[|\n]/).map((line) => line.trim().split(' '))

function nicknamesOf(first: string): string[] {
  const lower = first.toLowerCase()
  const short = groups.filter((group) => group.includes(lower)).flat()
  return [...new Set(short)].filter((one) => one !== lower).map((one) => `${one[0]?.toUpperCase()}${one.slice(1)}`)
}

/** A capitalised beginning of the first name, such as Alex for Alexandra. */
function shortForm(text: string, first: string): string | undefined {
  if (!/^\p{Lu}\p{Ll}/u.test(first)) return undefined
  for (let length = first.length - 1; length >= shortest; length--) {
    const form = first.slice(0, length)
    const found = placeOf(text, form)
    if (found !== undefined) return isClarified(text, found, form) ? undefined : form
  }
  return undefined
}

function placeOf(text: string, form: string): number | undefined {
  const escaped = form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}_-])${escaped}(?![\\p{L}\\p{N}_]|-\\p{L})`, 'u').exec(text)?.index
}

/** The text says which one: “Maria Lopez (Legal)”, “Maria Lopez of Operations”, “Alex Weiss”. */
function isClarified(text: string, at: number, form: string): boolean {
  return /^(?:['’]s)?\s*(?:\(|, (?:the|our|a|an)\s|of\s+(?:the\s+)?\p{Lu}|from\s+(?:the\s+)?\p{Lu}|in\s+\p{Lu}|at\s+\p{Lu}|\p{Lu}\p{L}|\d)/u.test(
    text.slice(at + form.length),
  )
}
