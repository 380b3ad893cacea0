/** What the operator's file says, as the service uses it. */
import { createHash } from 'node:crypto'
import type { Policy } from '../../src/access/run-policy.ts'
import { canonicalJson } from '../../src/text/canonical.ts'
import type { SecretsNeeded, Variables } from './flaw.ts'
import { type RepositorySettings, repositorySettings } from './repository-settings.ts'
import type { ExecutorInFile, ExecutorScope, OperatorFile } from './schema.ts'

export interface OperatorSettings {
  /** As PRECEDENT_CONFIG names it. undefined: there is no file, or this kind of process does not read it. */
  path: string | undefined
  /** In the order of the file. Empty in a process that runs none. */
  executors: readonly ExecutorSettings[]
  /** undefined: the file has no policy, and every run must be approved by a person. */
  policy: Policy | undefined
  /** Hosts, or host:port, that may be called without TLS. */
  httpHosts: readonly string[]
  /** undefined: no repository is connected. */
  repositories: RepositorySettings | undefined
  /** SHA-256 of the policy in hex: the same for two files whose policies say the same. */
  hash: string
}

export type ExecutorSettings = ProcessExecutor | HttpExecutor

interface AnyExecutor {
  name: string
  /** Of one phase. */
  timeLimitMs: number
  plans: boolean
  repeatable: boolean
  /** Runs at the same time, in one worker. */
  concurrency: number
  /** The most that the key of a session may do. */
  scopes: readonly ExecutorScope[]
}

export interface ProcessExecutor extends AnyExecutor {
  type: 'process'
  /** The program and its arguments. */
  command: readonly [string, ...string[]]
  /** Absolute path. undefined: a temporary one for each session. */
  directory: string | undefined
  environment: { pass: readonly string[]; set: Readonly<Record<string, string>> }
}

export interface HttpExecutor extends AnyExecutor {
  type: 'http'
  url: string
  /** `whsec_` and the base64 of the key that signs. */
  secret: string
  /** The receiver ends the session before if it gets a higher fence. */
  fenced: boolean
}

/** Has only the secrets that this process needs, and no executors if it runs none. */
export function settingsOf(path: string, file: OperatorFile, needed: SecretsNeeded): OperatorSettings {
  const policy = file.policy && policyOf(file.policy)
  const executors = needed.needs.includes('executors') ? Object.entries(file.executors) : []
  return {
    path,
    executors: executors.map(([name, one]) => executorOf(name, one, needed.variables)),
    policy,
    httpHosts: file.http_hosts,
    repositories: repositorySettings(file.repositories, needed),
    hash: hashOf(policy),
  }
}

/** Without a file. */
export function noSettings(): OperatorSettings {
  return {
    path: undefined,
    executors: [],
    policy: undefined,
    httpHosts: [],
    repositories: undefined,
    hash: hashOf(undefined),
  }
}

function policyOf({ default: by, rules }: NonNullable<OperatorFile['policy']>): Policy {
  return { default: by, rules: rules.map(({ then: verdict, ...rule }) => ({ ...rule, verdict })) }
}

function hashOf(policy: Policy | undefined): string {
  return createHash('sha256')
    .update(canonicalJson(policy ?? null))
    .digest('hex')
}

function executorOf(name: string, one: ExecutorInFile, variables: Variables): ExecutorSettings {
  const { time_limit: timeLimitMs, plans, repeatable, concurrency, scopes } = one
  const all = { name, timeLimitMs, plans, repeatable, concurrency, scopes }
  if (one.type === 'http') {
    return { ...all, type: 'http', url: one.url, secret: variables[one.secret_env] ?? '', fenced: one.fenced }
  }
  const { environment, directory } = one
  const command = one.command as [string, ...string[]]
  return { ...all, type: 'process', command, directory: directory === 'temporary' ? undefined : directory, environment }
}
