/** Lines that an executor prints for this service: milestones, a plan and a result. Everything else is output. */
import { z } from 'zod'
import { taskStatuses } from '../../records/task-values.ts'
import { cut } from '../../records/title.ts'
import { codePoints, mostTextCharacters } from '../../validation/schema.ts'
import { mostLinkCharacters, mostLinks, mostPlanCharacters, mostStepCharacters, mostSteps } from '../steps/internal.ts'

export type Message =
  | { type: 'milestone'; title: string; text?: string; data?: Record<string, unknown> }
  | { type: 'plan'; text: string; steps: string[] }
  | { type: 'result'; summary: string; links: string[]; task_status?: (typeof taskStatuses)[number] }

/** undefined: the line is output. A string says why a line that looks like a message is none. */
export function messageOf(line: string): Message | string | undefined {
  const value = objectOf(line)
  if (value === undefined || !types.has(value.type)) return undefined
  if (!nestsWithin(value, deepest)) return `${String(value.type)}: must be nested at most ${deepest} levels deep`
  const parsed = message.safeParse(value)
  if (parsed.success) return parsed.data as Message
  const [issue] = parsed.error.issues
  return `${String(value.type)}: ${issue?.path.join('.')} ${issue?.message}`
}

/** Levels of objects and lists. JSON.stringify throws on some thousand, and engines store fewer. */
const deepest = 50

/** Without recursion, which the value could exhaust. */
function nestsWithin(value: unknown, levels: number): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return false
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return true
}

/** Characters. */
const mostTitle = 500
const mostMilestoneText = 10_000
/** Bytes of JSON. */
const mostData = 8 * 1024

/** Half of a surrogate pair becomes U+FFFD: no store returns it unchanged. */
const wellFormed = (text: string) => (/\p{Surrogate}/u.test(text) ? Buffer.from(text).toString() : text)
/** As JSON.stringify writes it, but not behind a backslash of the text. */
const halfPair = /(?<=(?<!\\)(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g
const someText = z.string().transform(wellFormed)
const cutTo = (most: number) => someText.transform((text) => cut(text, most))
/** A plan is never cut: whoever approves it must see all of it. */
const bounded = (most: number) =>
  someText.refine((text) => codePoints(text) <= most, `must have at most ${most} characters`)

const message = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('milestone'),
    title: cutTo(mostTitle).refine((title) => title.trim() !== '', 'must not be empty'),
    text: cutTo(mostMilestoneText).exactOptional(),
    data: z
      .record(z.string(), z.unknown())
      .refine((data) => Buffer.byteLength(JSON.stringify(data)) <= mostData, `must have at most ${mostData} bytes`)
      .transform((data) => JSON.parse(JSON.stringify(data).replace(halfPair, '\ufffd')) as Record<string, unknown>)
      .exactOptional(),
  }),
  z.object({
    type: z.literal('plan'),
    text: bounded(mostPlanCharacters),
    steps: z
      .array(bounded(mostStepCharacters))
      .max(mostSteps, `must have at most ${mostSteps} items`)
      .default(() => []),
  }),
  z
    .object({
      type: z.literal('result'),
      summary: cutTo(mostTextCharacters).default(''),
      links: z
        .array(z.unknown())
        .default(() => [])
        // links of another form must not cost the summary
        .catch(() => [])
        .transform((links) => links.filter(isLink).map(wellFormed).slice(0, mostLinks)),
      // a status that does not exist must not cost the summary
      task_status: z.enum(taskStatuses).optional().catch(undefined),
    })
    // run.ended refuses a status that is undefined
    .transform(({ task_status, ...rest }) => (task_status === undefined ? rest : { ...rest, task_status })),
])
const types: ReadonlySet<unknown> = new Set(['milestone', 'plan', 'result'])

/** People open them, so scripts and files are left out. */
export function isLink(link: unknown): link is string {
  return typeof link === 'string' && /^https?:\/\//i.test(link) && codePoints(link) <= mostLinkCharacters
}

function objectOf(line: string): Record<string, unknown> | undefined {
  if (!line.trimStart().startsWith('{')) return undefined
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return undefined // output that happens to begin like an object
  }
}
