/** How a record is shown that is in force, or is not, whatever the reason. */
export function standingOf({ in_force, status }: { in_force: boolean; status: string }): string {
  if (in_force) return 'in force'
  return status === 'accepted' ? 'not in force' : status
}
