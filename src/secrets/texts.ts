/** The texts of an input and their places. */
export interface Text {
  /** The path of its field, such as `content` or `sources[2].url`. */
  place: string
  text: string
}

/** All strings in a value, not escaped: many credentials are hidden by the escapes of JSON. */
export function textsIn(place: string, value: unknown): Text[] {
  if (typeof value === 'string') return [{ place, text: value }]
  if (Array.isArray(value)) return value.flatMap((item, at) => textsIn(`${place}[${at}]`, item))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, item]) => textsIn(`${place}.${name}`, item))
}
