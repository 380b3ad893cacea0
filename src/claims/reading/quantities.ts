/** The units of numbers in a text, as update.ts compares them: roughly, because a change names its unit in few words. */

const number = /(?:[€$£]\s?)?(?<![\d.])(?!(?:19|20)\d\d\b)\d[\d.,:]*\s?(%|\p{L}+)?/u

/** The word after the first number, or its currency. Empty: it has none. */
export function unitOf(text: string): string {
  const [found, unit = ''] = number.exec(text) ?? []
  return /[€$£]/.exec(found ?? '')?.[0] ?? (noUnit.test(unit) ? '' : unit.toLowerCase())
}

const noUnit = /^(?:on|at|in|by|for|of|an?|per|and|or|to|until|from|every|each|with|as|is|are|the|st|nd|rd|th)$/i

/** The quantity of the unit of each number in the text: minutes and hours are of one quantity. Empty: it has no unit. */
export function quantitiesIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(new RegExp(number, 'gu'))].map(([found]) => quantityOf(unitOf(found))))
}

const quantities = [
  /^(?:s|ms|milli|micro)?(?:seconds?|secs?)$|^m?s$|^(?:minutes?|mins?|hours?|hrs?|h|days?|weeks?|months?|years?|am|pm)$/,
  /^[kmgt]?i?b(?:ytes?)?$/,
  /^(?:€|\$|£|eur|euros?|usd|dollars?|chf|francs?|gbp|pounds?|cents?)$/,
  /^(?:%|percent)$/,
]

/** Equal for units of one quantity. */
export function quantityOf(unit: string): string {
  const at = quantities.findIndex((quantity) => quantity.test(unit))
  return at < 0 ? unit.replace(/s$/, '') : String(at)
}
