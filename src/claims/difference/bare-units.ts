/** A unit without a number: “weights are in grams”, “counts milliseconds”. */
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

const before = /^(?:in|as|holds?|counts?|of|whole|gives?|is|are|use[ds]?)$/

/** Both name a unit of one family, and not the same. */
export function nameOtherUnits(a: Statement, b: Statement): boolean {
  const [one, other] = [unitsIn(a), unitsIn(b)]
  return (
    one.length === 1 && other.length === 1 && one[0]?.family === other[0]?.family && one[0]?.name !== other[0]?.name
  )
}

function unitsIn({ tokens }: Statement) {
  return tokens.flatMap(({ lower }, at) => {
    const family = families.findIndex((names) => names.includes(lower))
    const last = tokens[at - 1]
    return family >= 0 && !last?.value && before.test(last?.lower ?? '') ? [{ family, name: lower }] : []
  })
}
