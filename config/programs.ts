/** The search path for programs that the service starts. */
export function programPath(variables: Readonly<Record<string, string | undefined>> = process.env): string {
  return variables.PATH ?? '/usr/local/bin:/usr/bin:/bin'
}
