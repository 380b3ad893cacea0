/** Where programs that the service starts are looked for. */
export function programPath(variables: Readonly<Record<string, string | undefined>> = process.env): string {
  return variables.PATH ?? '/usr/local/bin:/usr/bin:/bin'
}
