/** A unit without a number: “weights are in grams”, “counts milliseconds”. */
import { oncePer } from '../reading/once-per.ts'
import type { Statement } from '../reading/statement.ts'

const families = [
  'seconds milliseconds microseconds minutes hours days weeks months',
  'grams kilograms milligrams micrograms tonnes pounds ounces',
  'litres millilitres gallons',
  'metres centimetres millimetres kilometres feet inches yards miles',
  'celsius fahrenheit kelvin',
  'bytes kilobytes megabytes gigabytes',
  'euros cents dollars francs pence',
  'utc cet local',
].map((names) => names.split(' '))
const familyOf = new Map(families.flatMap((names, family) => names.map((name) => [name, family] as const)))

const before = /^(?:in|as|holds?|counts?|of|whole|gives?|is|are|use[ds]?)$/

/** Both name a unit of one family, and not the same. */
export function nameOtherUnits(a: Statement, b: Statement): boolean {
  const [one, other] = [unitsIn(a), unitsIn(b)]
  return (
    one.length === 1 && other.length === 1 && one[0]?.family === other[0]?.family && one[0]?.name !== other[0]?.name
  )
}

const unitsIn = oncePer(({ tokens }: Statement) =>
  tokens.flatMap(({ lower }, at) => {
    const family = familyOf.get(lower)
    const last = tokens[at - 1]
    return family !== undefined && !last?.value && before.test(last?.lower ?? '') ? [{ family, name: lower }] : []
  }),
)
