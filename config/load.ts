/** The only reader of the environment: from its variables to a configuration, or an error that says what to change. */
import { isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import type { WorkspaceType } from '../src/access/actor.ts'
import { environment } from './schema.ts'

export interface Config {
  profile: 'embedded'
  host: string
  port: number
  /** Absolute. */
  dataDir: string
  /** Begins every absolute url; no slash at the end. */
  publicUrl: string
  bootstrapKey: string | undefined
  workspaceType: WorkspaceType
  /** 0 keeps everything. */
  journalRetentionDays: number
  receiptRetentionDays: number
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  shutdownDeadlineMs: number
  /** Requests a second for each credential; 0 sets no limit. */
  rateLimit: number
}

/** What the operator must change: one sentence for each variable. */
export class ConfigurationError extends Error {
  constructor(sentences: readonly string[]) {
    super(`The configuration is not valid.\n${sentences.map((sentence) => `  ${sentence}`).join('\n')}`)
    this.name = 'ConfigurationError'
  }
}

/** Throws ConfigurationError. A variable that is set to nothing counts as not set. */
export function load(variables: Readonly<Record<string, string | undefined>> = process.env): Config {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''))
  const result = environment.safeParse(set)
  if (!result.success) {
    throw new ConfigurationError(result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`))
  }
  const all = result.data
  refuseScaled(all)
  return {
    profile: 'embedded',
    host: all.HOST,
    port: all.PORT,
    dataDir: resolve(all.PRECEDENT_DATA_DIR),
    publicUrl: all.PRECEDENT_PUBLIC_URL ?? `http://${isIPv6(all.HOST) ? `[${all.HOST}]` : all.HOST}:${all.PORT}`,
    bootstrapKey: all.PRECEDENT_BOOTSTRAP_KEY,
    workspaceType: all.PRECEDENT_WORKSPACE_TYPE,
    journalRetentionDays: all.PRECEDENT_JOURNAL_RETENTION_DAYS,
    receiptRetentionDays: all.PRECEDENT_RECEIPT_RETENTION_DAYS,
    logLevel: all.PRECEDENT_LOG_LEVEL,
    shutdownDeadlineMs: all.PRECEDENT_SHUTDOWN_DEADLINE_SECONDS * 1000,
    rateLimit: all.PRECEDENT_RATE_LIMIT,
  }
}

/** A setting that would silently do nothing is worse than one that is refused. */
function refuseScaled(all: { PRECEDENT_PROFILE: string } & Record<string, unknown>): void {
  const sentences = ['MONGODB_URL', 'REDIS_URL', 'ELASTICSEARCH_URL']
    .filter((name) => all[name] !== undefined)
    .map((name) => `${name} is set, but this version keeps everything in PRECEDENT_DATA_DIR: unset it.`)
  if (all.PRECEDENT_PROFILE === 'scaled') {
    sentences.unshift('PRECEDENT_PROFILE=scaled is not in this version: unset it, or set it to embedded.')
  }
  if (sentences.length > 0) throw new ConfigurationError(sentences)
}
