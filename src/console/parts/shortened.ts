const longest = 120

/** The beginning of a text, as a heading. */
export function shortened(text: string): string {
  const characters = Array.from(text)
  return characters.length <= longest ? text : `${characters.slice(0, longest).join('')}…`
}
