/** Decodes percent-encoding; returns an invalid encoding unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
