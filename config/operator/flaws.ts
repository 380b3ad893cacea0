/** Lists everything that is wrong with the values of the operator's file, by path. Never shows a value. */
import { z } from 'zod'
import { nearest } from '../../src/validation/nearest.ts'
import { executorName, isAllowedUrl } from './fields.ts'
import type { SecretsNeeded, ValueFlaw, Variables } from './flaw.ts'
import { flawsOfRepositories } from './repository-flaws.ts'
import { type ExecutorInFile, executor, type OperatorFile, operatorFile } from './schema.ts'
import { isWebhookSecret, webhookSecretShape } from './webhook-secret.ts'

/** A person corrects some, and runs it again. */
export const mostFlaws = 100

/** Checks the variables with the secrets that this process needs, too. */
export function checkFile(value: unknown, needed: SecretsNeeded): OperatorFile | ValueFlaw[] {
  const parsed = operatorFile.safeParse(value ?? {}, { error: unknownFields })
  const flaws = [...(parsed.success ? [] : parsed.error.issues.flatMap(flawsOf)), ...flawsBetween(value, needed)]
  return parsed.success && flaws.length === 0 ? parsed.data : flaws
}

/** Joins the messages of one issue, one for each unknown field. */
const separator = '\n'

function unknownFields(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'unrecognized_keys') return undefined
  const known = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : []
  return issue.keys
    .slice(0, mostFlaws + 1)
    .map((key) => {
      const meant = nearest(key, known)
      return meant === undefined
        ? `is not a field that is known here: use ${known.join(', ')}`
        : `is not a field that is known here: did you mean ${meant}?`
    })
    .join(separator)
}

function flawsOf(issue: z.core.$ZodIssue): ValueFlaw[] {
  if (issue.code === 'unrecognized_keys') {
    const messages = issue.message.split(separator)
    return messages.map((message, at) => ({ path: [...issue.path, issue.keys[at] ?? ''], message, isName: true }))
  }
  if (issue.code === 'invalid_key') {
    return issue.issues.map(({ message }) => ({ path: issue.path, message, isName: true }))
  }
  return [{ path: issue.path, message: issue.message }]
}

/** Rules between fields. They look at whatever is valid, so that a flaw elsewhere in the file hides none of them. */
function flawsBetween(value: unknown, needed: SecretsNeeded): ValueFlaw[] {
  const { executors, http_hosts, policy, repositories } = fieldsOf(value)
  const variables = needed.needs.includes('executors') ? needed.variables : undefined
  const hosts = Array.isArray(http_hosts) ? http_hosts.filter((host) => typeof host === 'string') : []
  const ofExecutors = Object.entries(fieldsOf(executors)).flatMap(([name, one]) => {
    const parsed = executor.safeParse(one, { error: unknownFields })
    if (parsed.success) return flawsOfExecutor(parsed.data, hosts, variables).map((flaw) => within(name, flaw))
    // zod does not look below a name that is not allowed
    if (executorName.safeParse(name).success) return []
    return parsed.error.issues.flatMap(flawsOf).map((flaw) => within(name, flaw))
  })
  const ofRepositories = flawsOfRepositories(fieldsOf(repositories).connect, needed)
  return [...ofExecutors, ...repeatedNames(fieldsOf(policy).rules), ...ofRepositories]
}

function within(name: string, flaw: ValueFlaw): ValueFlaw {
  return { ...flaw, path: ['executors', name, ...flaw.path] }
}

function flawsOfExecutor(one: ExecutorInFile, hosts: readonly string[], variables: Variables | undefined): ValueFlaw[] {
  if (one.type === 'process') {
    const { pass, set } = one.environment
    return pass.flatMap((name, at) =>
      Object.hasOwn(set, name)
        ? [{ path: ['environment', 'pass', at], message: 'is also a name in `set`: leave one of them out' }]
        : [],
    )
  }
  const flaws: ValueFlaw[] = []
  if (!isAllowedUrl(one.url, hosts)) {
    flaws.push({ path: ['url'], message: 'must begin with https://, or name a host that http_hosts lists' })
  }
  if (one.repeatable && !one.fenced) {
    flaws.push({
      path: ['repeatable'],
      message: 'needs `fenced: true`: otherwise the receiver may run a lost session next to the new one',
    })
  }
  const secret = variables?.[one.secret_env]
  if (variables !== undefined && (secret === undefined || secret === '')) {
    flaws.push({
      path: ['secret_env'],
      message: `names ${one.secret_env}, which is not set: set it to ${webhookSecretShape}`,
    })
  } else if (secret !== undefined && !isWebhookSecret(secret)) {
    flaws.push({ path: ['secret_env'], message: `names ${one.secret_env}, which must be ${webhookSecretShape}` })
  }
  return flaws
}

function repeatedNames(rules: unknown): ValueFlaw[] {
  const known = new Set<unknown>()
  return (Array.isArray(rules) ? rules : []).flatMap((rule: unknown, at) => {
    const { name } = fieldsOf(rule)
    if (typeof name !== 'string' || !known.has(name)) {
      known.add(name)
      return []
    }
    return [{ path: ['policy', 'rules', at, 'name'], message: 'is the name of an earlier rule too: choose another' }]
  })
}

function fieldsOf(value: unknown): Record<string, unknown> {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isMap ? (value as Record<string, unknown>) : {}
}
