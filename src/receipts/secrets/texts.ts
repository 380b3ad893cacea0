/** The texts of an input, each with its place. */
export interface Text {
  /** Path of the field that it stands in, such as `content` or `sources[2].url`. */
  place: string
  text: string
}

/** All strings in a value, as they are: escaped in JSON many a credential looks like none. */
export function textsIn(place: string, value: unknown): Text[] {
  if (typeof value === 'string') return [{ place, text: value }]
  if (Array.isArray(value)) return value.flatMap((item, at) => textsIn(`${place}[${at}]`, item))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, item]) => textsIn(`${place}.${name}`, item))
}
