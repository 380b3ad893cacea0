/** Shows an instant to people: the day alone if it is the beginning of a day in UTC. */
export function instantText(instant: string): string {
  return instant.replace(/T00:00:00(?:\.0+)?Z$/, '')
}
