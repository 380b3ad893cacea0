/** The units of numbers in a text, as update.ts compares them: roughly, because a change names its unit in few words. */

const number = /(?:[€$£]\s?)?(?<![\d.])(?!(?:19|20)\d\d\b)\d[\d.,:]*\s?(%|\p{L}+)?/u

/** The word after the first number, or its currency. Empty: it has none. */
export function unitOf(text: string): string {
  const [found, unit = ''] = number.exec(text) ?? []
  return /[€$£]/.exec(found ?? '')?.[0] ?? (noUnit.test(unit) ? '' : unit.toLowerCase())
}

const noUnit = /^(?:on|at|in|by|for|of|an?|per|and|or|to|until|from|every|each|with|as|is|are|the|st|nd|rd|th)$/i

/** Units of one quantity, such as minutes and hours. A number without a unit may be of any. */
export function areOfOneUnit(unit: string, sentence: string): boolean {
  const all = sentence.matchAll(new RegExp(number, 'gu'))
  return unit === '' || [...all].some(([found]) => quantityOf(unitOf(found)) === quantityOf(unit))
}

const quantities = [
  /^(?:s|ms|milli|micro)?(?:seconds?|secs?)$|^m?s$|^(?:minutes?|mins?|hours?|hrs?|h|days?|weeks?|months?|years?|am|pm)$/,
  /^[kmgt]?i?b(?:ytes?)?$/,
  /^(?:€|\$|£|eur|euros?|usd|dollars?|chf|francs?|gbp|pounds?|cents?)$/,
  /^(?:%|percent)$/,
]

function quantityOf(unit: string): string {
  const at = quantities.findIndex((quantity) => quantity.test(unit))
  return at < 0 ? unit.replace(/s$/, '') : String(at)
}
