import type { Decision } from '../service/service.ts'

type Visibility = Decision['visibility']

/** Who sees a record, in words: `everyone in the workspace`. */
export function audienceTold(visibility: Visibility): string {
  switch (visibility.scope) {
    case 'workspace':
      return 'everyone in the workspace'
    case 'private':
      return 'only you'
    case 'team':
      return `the team ${visibility.team_id}`
  }
}
