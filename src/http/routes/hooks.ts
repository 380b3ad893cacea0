/** Hooks that hosts of repositories call (docs/repositories.md). */
import type { Route } from '../base/route.ts'

export const hookRoutes: readonly Route[] = [
  {
    kind: 'hook',
    method: 'POST',
    path: '/hooks/git/:repo_full_name',
    summary: 'Asks the remote of a connected repository at once. Needs the secret of its hook.',
  },
]
