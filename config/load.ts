/** The only code that reads the environment. Returns a configuration, or throws an error that says what to change. */
import { resolve } from 'node:path'
import type { WorkspaceType } from '../src/access/actor.ts'
import { urlOf } from './address.ts'
import { ConfigurationError } from './configuration-error.ts'
import { type Engines, enginesOf, refusals, secretsOf } from './engines.ts'
import type { ProcessKind } from './processes.ts'
import { loadRuns, type RunSettings } from './runs.ts'
import { environment } from './schema.ts'
import { unknownSettings } from './unknown.ts'

export interface Config extends RunSettings {
  engines: Engines
  host: string
  port: number
  /** The health port of a worker without HTTP; undefined: none. */
  healthPort: number | undefined
  /** Absolute path. Everything that no other engine stores is in it. */
  dataDir: string
  /** The start of every absolute url, without a slash at the end. */
  publicUrl: string
  bootstrapKey: string | undefined
  workspaceType: WorkspaceType
  /** 0 keeps everything. */
  journalRetentionDays: number
  receiptRetentionDays: number
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  shutdownDeadlineMs: number
  /** Web pages of these origins may call the service. */
  allowedOrigins: readonly string[]
  /** Requests per second for each credential; 0: no limit. */
  rateLimit: number
  /** The most bytes of bodies and responses in progress. One credential may use a third of it. */
  bodyMemory: number
  /** Passwords and keys among the settings. They must never be shown. */
  secrets: readonly string[]
  /** Sentences for the operator: variables that look like settings and are none. */
  warnings: readonly string[]
}

/**
 * Loads the settings for a process of this kind, or for a command that opens the store by itself. Throws
 * ConfigurationError. An empty variable counts as unset. `defaults` replace those of the service.
 */
export function load(
  variables: Readonly<Record<string, string | undefined>> = process.env,
  kind: ProcessKind | 'command' = 'all',
  defaults: Readonly<Record<string, string>> = {},
): Config {
  const given = Object.entries(variables).filter((one): one is [string, string] => Boolean(one[1]))
  const set = { ...defaults, ...Object.fromEntries(given) }
  const result = environment.safeParse(set)
  if (!result.success) {
    throw new ConfigurationError(result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`))
  }
  const all = result.data
  const runs = loadRuns(all, kind, set)
  const refused = [...refusals(all, kind === 'command' ? 'all' : kind), ...runs.refused]
  if (refused.length + runs.inFile.length > 0) throw new ConfigurationError(refused, runs.inFile)
  return {
    engines: enginesOf(all),
    host: all.HOST,
    port: all.PORT,
    healthPort: all.PRECEDENT_HEALTH_PORT,
    dataDir: resolve(all.PRECEDENT_DATA_DIR),
    publicUrl: all.PRECEDENT_PUBLIC_URL ?? urlOf(all.HOST, all.PORT),
    bootstrapKey: all.PRECEDENT_BOOTSTRAP_KEY,
    workspaceType: all.PRECEDENT_WORKSPACE_TYPE,
    journalRetentionDays: all.PRECEDENT_JOURNAL_RETENTION_DAYS,
    receiptRetentionDays: all.PRECEDENT_RECEIPT_RETENTION_DAYS,
    logLevel: all.PRECEDENT_LOG_LEVEL,
    shutdownDeadlineMs: all.PRECEDENT_SHUTDOWN_DEADLINE_SECONDS * 1000,
    allowedOrigins: all.PRECEDENT_ALLOWED_ORIGINS,
    rateLimit: all.PRECEDENT_RATE_LIMIT,
    bodyMemory: all.PRECEDENT_BODY_MEMORY_MIB * 1024 * 1024,
    ...runs.settings,
    secrets: [...new Set([...secretsOf(all), ...runs.secrets])],
    warnings: unknownSettings(set),
  }
}
