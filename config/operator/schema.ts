/**
 * The schema of the operator's file. Editors use it too, as JSON Schema: every field has a description. Rules between
 * fields are in rules.ts.
 */
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import type { Scope } from '../../src/access/actor.ts'
import { verdicts } from '../../src/access/run-policy.ts'
import { duration, executorName, flag, httpHost, isPlainUrl, list, oneOf, says, variableName, words } from './fields.ts'
import { repositories } from './repositories-schema.ts'

/** The scopes that the key of a session may have. None lets an executor start, approve or cancel runs. */
export const executorScopes = [
  'context:read',
  'context:write',
  'tasks:read',
  'tasks:write',
  'repos:read',
] as const satisfies readonly Scope[]
export type ExecutorScope = (typeof executorScopes)[number]

/** In the order of tasks (records/body.ts). */
export const policyPriorities = ['urgent', 'high', 'medium', 'low', 'none'] as const

const mostExecutors = 100
const mostRules = 500
const mostVariables = 100
const mostArguments = 100
const mostHosts = 100
/** Values of one condition. */
const mostValues = 100
/** Characters, as most systems allow for a path. */
const longestPath = 4096
const longestUrl = 2000
const mostSessions = 100

const common = {
  time_limit: duration
    .prefault('1h')
    .describe('How long a phase of a run may take: a number with s, m or h, from 1s to 24h.'),
  plans: flag().describe('It can write a plan first, in a phase of its own, before anything is done.'),
  concurrency: z
    .int(says('a whole number from 1 to 100'))
    .min(1, 'must be a whole number from 1 to 100')
    .max(mostSessions, 'must be a whole number from 1 to 100')
    .default(1)
    .describe('How many runs one worker gives it at the same time.'),
  scopes: list(oneOf(executorScopes), 0, executorScopes.length, 'a list such as [context:read, tasks:read]')
    .default(['context:read', 'context:write'])
    .describe('What the key of its session may do, if the credential that asked for the run may do it too.'),
}

const noNul = (text: string) => !text.includes('\0')

const environment = z
  .strictObject(
    {
      pass: list(variableName, 0, mostVariables, 'a list of names such as [PATH, HOME]')
        .default([])
        .describe('Variables of the run worker that it gets. It gets no others.'),
      set: z
        .record(
          variableName,
          words(0, 32_768, 'a text: put numbers, true and false in quotes').refine(noNul, 'must have no NUL character'),
          says('names with their values, such as { MODE: careful }'),
        )
        .refine((all) => Object.keys(all).length <= mostVariables, `must have at most ${mostVariables} names`)
        .default({})
        .describe(
          'Variables with fixed values. Secrets belong into the environment of the worker: name them in `pass`.',
        ),
    },
    says('pass and set, such as { pass: [PATH], set: { MODE: careful } }'),
  )
  .prefault({})
  .describe('The environment of the program. PRECEDENT_URL, PRECEDENT_API_KEY and PRECEDENT_SESSION are added to it.')

const commandShape = 'a list of the program and its arguments, such as [node, agents/coder.js]'
const processExecutor = z
  .strictObject({
    type: z.literal('process').describe('A program that the run worker starts.'),
    command: z
      .array(
        words(0, longestPath, 'a text: put numbers in quotes').refine(noNul, 'must have no NUL character'),
        says(commandShape),
      )
      .min(1, `must be ${commandShape}`)
      .max(mostArguments, `must have at most ${mostArguments} items`)
      .refine(([program]) => program !== '', 'must begin with a program')
      .describe('The program and its arguments. No shell reads it, and nothing of a task is added to it.'),
    directory: words(1, longestPath, '`temporary` or an absolute path')
      .refine(
        (path) => path === 'temporary' || (isAbsolute(path) && noNul(path)),
        'must be `temporary` or an absolute path',
      )
      .default('temporary')
      .describe(
        'Where it runs: an absolute path, or `temporary` for an empty folder that is removed after the session.',
      ),
    environment,
    ...common,
    repeatable: flag().describe('A session that got lost may be started again, each phase at most 3 times.'),
  })
  .describe('A program on the machine of the run worker.')

const httpExecutor = z
  .strictObject({
    type: z.literal('http').describe('A service that the run worker calls.'),
    url: words(1, longestUrl, 'a URL such as https://agents.example.com/run')
      .refine(isPlainUrl, 'must be a URL such as https://agents.example.com/run, without user, password and fragment')
      .describe('Where the run is posted to: https, or a host of http_hosts.'),
    secret_env: variableName.describe('The environment variable with the secret that signs the requests (whsec_…).'),
    ...common,
    repeatable: flag().describe('A session that got lost may be started again. It needs `fenced: true`.'),
    fenced: flag().describe('The receiver ends a session when a request with a higher `fence` arrives.'),
  })
  .describe('A service that takes runs over HTTP.')

export const executor = z.discriminatedUnion('type', [processExecutor, httpExecutor], {
  error: ({ code }) =>
    code === 'invalid_union' ? 'must be process or http' : 'must be an executor: type and its other fields',
})

const values = <T extends z.ZodType>(item: T, of: string) =>
  list(item, 1, mostValues, `a list of ${of}`).exactOptional()

const rule = z
  .strictObject(
    {
      name: words(1, 200, 'a name').describe('The name that a run shows if the rule decided. Each rule has its own.'),
      when: z
        .strictObject(
          {
            labels: values(words(1, 100, 'a label'), 'labels').describe('The task has one of these labels.'),
            project: values(words(1, 300, 'a project'), 'projects').describe('The task is in one of these projects.'),
            priority: values(oneOf(policyPriorities), 'priorities').describe('The task has one of these priorities.'),
            repo: values(words(1, 300, 'the full name of a repository'), 'repositories, such as [acme/site]').describe(
              'The task is about one of these repositories, by full name.',
            ),
            executor: values(executorName, 'names of executors').describe('One of these executors would run it.'),
          },
          says('conditions such as { labels: [docs] }'),
        )
        .refine((when) => Object.keys(when).length > 0, {
          error: 'must have a condition: `default` decides on all other runs',
          when: ({ issues }) => issues.length === 0,
        })
        .meta({ minProperties: 1 })
        .describe('The conditions. All that are given must hold. One value of each list is enough.'),
      // biome-ignore lint/suspicious/noThenProperty: a word that operators read easily; its value is never a function
      then: oneOf(verdicts).describe('What happens to a run that fits.'),
      self_approval: flag().describe('The user who started a run may approve it.'),
    },
    says('a rule such as { name: docs are free, when: { labels: [docs] }, then: allow }'),
  )
  .describe('A rule. The first that fits decides.')

const policy = z
  .strictObject(
    {
      default: oneOf(verdicts).default('require_approval').describe('What happens to a run that no rule fits.'),
      rules: z
        .array(rule, says('a list of rules'))
        .max(mostRules, `must have at most ${mostRules} rules`)
        .default([])
        .describe('The first rule that fits decides.'),
    },
    says('`default` and `rules`'),
  )
  .exactOptional()
  .describe('Which runs start by themselves, which wait for an approval, and which are refused. Without it, all wait.')

export const operatorFile = z
  .strictObject(
    {
      executors: z
        .record(executorName, executor, says('names of executors with their settings'))
        .refine((all) => Object.keys(all).length <= mostExecutors, `must have at most ${mostExecutors} executors`)
        .default({})
        .describe('What can run a task, by name.'),
      http_hosts: list(httpHost, 0, mostHosts, 'a list of hosts such as [agents.internal:8080]')
        .default([])
        .describe('Hosts that may be called without TLS, for executors and notices. Everything else needs https.'),
      policy,
      repositories,
    },
    says('executors, http_hosts, policy and repositories'),
  )
  .describe('Executors, policy and repositories of Precedent (PRECEDENT_CONFIG).')
export type OperatorFile = z.infer<typeof operatorFile>
export type ExecutorInFile = z.infer<typeof executor>

/** What editors read. */
export function operatorJsonSchema(): object {
  return z.toJSONSchema(operatorFile, { io: 'input', target: 'draft-7' })
}
