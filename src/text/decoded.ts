/** Percent-encoding undone; what is none is meant as it is written. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
