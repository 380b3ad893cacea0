/** The connected repositories, as the service uses them. */
import { createHash } from 'node:crypto'
import { firstWorkspace } from '../../src/access/workspaces.ts'
import type { Audience, WorkspaceId } from '../../src/ids.ts'
import type { SecretsNeeded } from './flaw.ts'
import type { RepositoryInFile } from './repositories-schema.ts'
import type { OperatorFile } from './schema.ts'

export interface RepositorySettings {
  /** ms between two questions to a remote. */
  pollMs: number
  /** In the order of the file. */
  connected: readonly ConnectedRepository[]
}

export interface ConnectedRepository {
  /** Names its mirror. It changes with workspace, name and url, so that a mirror never holds two repositories. */
  id: string
  /** owner/name, as callers know it. Two of a workspace differ in more than upper and lower case. */
  name: string
  workspace: WorkspaceId
  audience: Audience
  url: string
  /** `TOKEN` or `user:TOKEN`. Absent: none, or this process fetches nothing. */
  token?: string
  /** Absent: the default branch of the remote. */
  branch?: string
  /** Empty: all files. */
  include: readonly string[]
  exclude: readonly string[]
  /** The secret of POST /hooks/git/<name>. Absent: no hook, or this process serves none. */
  hookSecret?: string
}

/** undefined: no repository is connected, so nothing needs to be loaded or started. */
export function repositorySettings(
  file: OperatorFile['repositories'],
  needed: SecretsNeeded,
): RepositorySettings | undefined {
  if (file === undefined || file.connect.length === 0) return undefined
  return { pollMs: file.poll, connected: file.connect.map((one) => connectedOf(one, needed)) }
}

function connectedOf(one: RepositoryInFile, { variables, needs }: SecretsNeeded): ConnectedRepository {
  const workspace = (one.workspace?.toLowerCase() ?? firstWorkspace) as WorkspaceId
  const token = needs.includes('tokens') && one.token_env !== undefined ? variables[one.token_env] : undefined
  const hookSecret = needs.includes('hooks') && one.secret_env !== undefined ? variables[one.secret_env] : undefined
  return {
    id: `${workspace}/${one.name}@${createHash('sha256').update(one.url).digest('hex').slice(0, 16)}`,
    name: one.name,
    workspace,
    audience: audienceOf(one.audience),
    url: one.url,
    ...(token === undefined ? {} : { token }),
    ...(one.branch === undefined ? {} : { branch: one.branch }),
    include: one.include ?? [],
    exclude: one.exclude ?? [],
    ...(hookSecret === undefined ? {} : { hookSecret }),
  }
}

/** Ids of teams are stored in lower case. */
function audienceOf(written: string): Audience {
  return (written.startsWith('team:') ? written.toLowerCase() : written) as Audience
}

/** The texts to redact: tokens as they are, without their user, and as they are sent. */
export function secretsOfRepositories(settings: RepositorySettings | undefined): string[] {
  return (settings?.connected ?? []).flatMap(({ token, hookSecret }) => [
    ...(hookSecret === undefined ? [] : [hookSecret]),
    ...(token === undefined ? [] : [token, token.slice(token.indexOf(':') + 1)]),
  ])
}
