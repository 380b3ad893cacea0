/** Settings of runs: the operator's file, bounds, and where notices go. */
import { isAllowedUrl } from './operator/fields.ts'
import type { Variables } from './operator/flaw.ts'
import { secretsOfRepositories } from './operator/repository-settings.ts'
import { noSettings, type OperatorSettings } from './operator/settings.ts'
import { shownFormsOf } from './operator/webhook-secret.ts'
import { readOperatorFile } from './operator-file.ts'
import { operatorFileUse, type ProcessKind } from './processes.ts'
import type { Environment } from './schema.ts'

export interface RunSettings {
  /** Executors, policy and connected repositories. */
  operator: OperatorSettings
  /** Days that a run may wait for an approval. */
  approvalDays: number
  /** Runs of a workspace at the same time. */
  runsPerWorkspace: number
  /** How long a run worker that stops waits for its sessions. */
  runDeadlineMs: number
  /** The variables of this process that its executors get. */
  passed: Variables
  /** undefined: the service tells nobody about runs. */
  notify: Notifier | undefined
}

/** A receiver after Standard Webhooks. */
export interface Notifier {
  url: string
  /** `whsec_` and the base64 of the key that signs. */
  secret: string
}

/** `refused`, `inFile`: one sentence for each setting, and each place of the operator's file, that can't work. */
export interface LoadedRuns {
  settings: RunSettings
  secrets: string[]
  refused: string[]
  inFile: string[]
}

/** `variables`: all of the process, because the file names those with the secrets of executors. */
export function loadRuns(all: Environment, kind: ProcessKind | 'command', variables: Variables): LoadedRuns {
  const needs = operatorFileUse(kind)
  const path = all.PRECEDENT_CONFIG
  const read = path === undefined || needs === undefined ? noSettings() : readOperatorFile(path, variables, needs)
  const [operator, inFile] = Array.isArray(read) ? [noSettings(), read] : [read, []]
  const notify = notifierOf(all)
  const refused = notifyRefusals(all)
  // a process that does not read the file, or can't, does not know the hosts
  if (notify && needs && inFile.length === 0 && !isAllowedUrl(notify.url, operator.httpHosts)) {
    refused.push(
      'PRECEDENT_NOTIFY_URL must begin with https://, or name a host that http_hosts in the file of PRECEDENT_CONFIG lists.',
    )
  }
  const signing = operator.executors.flatMap((one) => (one.type === 'http' ? [one.secret] : []))
  return {
    settings: {
      operator,
      approvalDays: all.PRECEDENT_APPROVAL_DAYS,
      runsPerWorkspace: all.PRECEDENT_RUNS_PER_WORKSPACE,
      runDeadlineMs: all.PRECEDENT_RUN_DEADLINE_SECONDS * 1000,
      passed: passedBy(operator, variables),
      notify,
    },
    secrets: [
      ...[...signing, ...(notify ? [notify.secret] : [])].flatMap(shownFormsOf),
      ...secretsOfRepositories(operator.repositories),
    ],
    refused,
    inFile,
  }
}

function passedBy({ executors }: OperatorSettings, variables: Variables): Variables {
  const names = executors.flatMap((one) => (one.type === 'process' ? one.environment.pass : []))
  return Object.fromEntries(names.map((name) => [name, variables[name]]))
}

function notifierOf({ PRECEDENT_NOTIFY_URL: url, PRECEDENT_NOTIFY_SECRET: secret }: Environment): Notifier | undefined {
  return url === undefined || secret === undefined ? undefined : { url, secret }
}

function notifyRefusals({ PRECEDENT_NOTIFY_URL: url, PRECEDENT_NOTIFY_SECRET: secret }: Environment): string[] {
  if ((url === undefined) === (secret === undefined)) return []
  const [set, unset] =
    url === undefined
      ? ['PRECEDENT_NOTIFY_SECRET', 'PRECEDENT_NOTIFY_URL']
      : ['PRECEDENT_NOTIFY_URL', 'PRECEDENT_NOTIFY_SECRET']
  return [`${set} is set, but ${unset} is not: set that too, or unset both.`]
}
