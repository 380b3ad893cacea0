/** JSON in one form: equal values give equal texts. */

/**
 * Sorts the fields of objects and leaves out undefined ones. `keeps`: which fields of the outermost object stay; gets
 * the name and the JSON of each.
 */
export function canonicalJson(value: unknown, keeps?: (name: string, json: string) => boolean): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonicalJson(one)).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null)
  const fields: string[] = []
  for (const name of Object.keys(value).sort()) {
    const field = (value as Record<string, unknown>)[name]
    if (field === undefined) continue
    const json = canonicalJson(field)
    if (keeps === undefined || keeps(name, json)) fields.push(`${JSON.stringify(name)}:${json}`)
  }
  return `{${fields.join(',')}}`
}
