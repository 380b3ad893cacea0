/**
 * The shape of a tool. A tool calls one operation or query, as a row of the table of routes does, and adds what a model
 * needs: when to use it, and a short text of the result.
 */
import { z } from 'zod'
import type { Scope } from '../../access/actor.ts'
import { oneLine } from '../../context/brief/text/in-line.ts'
import type { Operation, Query } from '../../operation.ts'
import { Problem, type ProblemCode, problems } from '../../problem.ts'
import { type ReceiptResponse, receiptResponse } from '../../receipts/present.ts'
import { listsIn } from './json-schema.ts'

export interface Tool {
  name: string
  /** For people. */
  title: string
  /** For models: what it does, and when to use it. */
  description: string
  scope: Scope
  /** The lists that it is in; all tools except those of chat connectors are in `all`. */
  lists: readonly ToolList[]
  input: z.ZodType
  output: z.ZodType
  hints: Hints
  /** Of a write: its input shows `if_revision`, because tools show the revision that it compares. */
  showsRevision?: true
  /** Fields of the input whose own fields another tool describes, with its name. Whoever may call this tool sees the other. */
  describedBy?: Readonly<Record<string, string>>
  /** Of a write: ms in which the same input without an idempotency_key is the same write. */
  repeatsFor?: number
  /** Throws Problems. */
  call(args: unknown, caller: Caller): Promise<Result>
}

/** `?tools=` in the address of the endpoint. */
export const toolLists = ['all', 'core', 'chat'] as const
export type ToolList = (typeof toolLists)[number]

export interface Hints {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

export interface Result {
  /** Suffices without `structured`. */
  text: string
  structured: unknown
}

/** Who calls, and what a tool may call for them. */
export interface Caller {
  scopes: readonly Scope[]
  /** The beginning of absolute urls, without a slash at the end. */
  publicUrl: string
  /** Throws Problems. */
  query<Input, Output>(query: Query<Input, Output>, input: unknown): Promise<Output>
  /**
   * Returns the receipt once the write is applied or has failed, or as it is after 10 s. `repeatsFor`: ms in which the same
   * input without an idempotency_key is the same write. Throws Problems.
   */
  write<Input>(operation: Operation<Input>, input: unknown, repeatsFor?: number): Promise<ReceiptResponse>
}

interface About extends Pick<Tool, 'name' | 'title' | 'description'> {
  isCore?: true
}

const reading: Hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/** `text` makes the text of the result. */
export function readTool<Input, Output>(
  query: Query<Input, Output>,
  { isCore, ...about }: About,
  text: (output: Output, caller: Caller) => string | Promise<string>,
): Tool {
  const lists = listsIn(query.input)
  return {
    ...about,
    scope: scopeOf(query),
    lists: listsOf(isCore),
    input: query.input,
    output: query.output,
    hints: reading,
    async call(args, caller) {
      const output = await caller.query(query, asLists(args, lists))
      return { text: await text(output, caller), structured: output }
    },
  }
}

/** A tool that is more than one query. */
export function ownReadTool(about: About & Pick<Tool, 'scope' | 'input' | 'output' | 'call'>): Tool {
  const { isCore, ...rest } = about
  return { ...rest, lists: listsOf(isCore), hints: reading }
}

interface Writing<Input> extends About, Pick<Tool, 'showsRevision' | 'describedBy'> {
  /** Calling it again with the same input changes nothing more. */
  isRepeatable: boolean
  repeatsFor?: number
  hints?: Partial<Hints>
  /** Further lines about what the applied write did. */
  told?: (input: Input, receipt: ReceiptResponse, caller: Caller) => Promise<string[]>
}

const { receipt_id, state, entity } = receiptResponse.shape
/** A receipt, told in short: every tool that writes answers with one, so its whole schema would be in the list many times. */
export const shownReceipt = z.looseObject({
  receipt_id,
  state,
  entity: z.looseObject(entity.unwrap().shape).exactOptional(),
})

export function writeTool<Input>(
  operation: Operation<Input>,
  { isCore, isRepeatable, repeatsFor, hints, told, ...about }: Writing<Input>,
): Tool {
  const lists = listsIn(operation.input)
  return {
    ...about,
    scope: operation.scope,
    lists: listsOf(isCore),
    input: operation.input,
    output: shownReceipt,
    hints: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: isRepeatable,
      openWorldHint: false,
      ...hints,
    },
    ...(repeatsFor === undefined ? {} : { repeatsFor }),
    async call(args, caller) {
      const input = asLists(args, lists)
      const receipt = await caller.write(operation, input, repeatsFor)
      if (receipt.error !== undefined) throw problemOf(receipt.error)
      // the write was accepted, so its input has the right form
      const further = receipt.state === 'applied' ? await told?.(input as Input, receipt, caller) : undefined
      return { text: [receiptText(receipt), ...(further ?? [])].join('\n'), structured: receipt }
    },
  }
}

function scopeOf<Input, Output>({ scope, name }: Query<Input, Output>): Scope {
  if (scope === null) throw new Error(`the query ${name} has no scope`)
  return scope
}

const listsOf = (isCore: true | undefined): readonly ToolList[] => (isCore ? ['all', 'core'] : ['all'])

/** Models often give one value where a list is expected. It becomes a list of one. */
function asLists(args: unknown, lists: ReadonlySet<string>): unknown {
  if (args === null || typeof args !== 'object' || Array.isArray(args)) return args
  const listed = Object.entries(args).map(([name, value]) => [
    name,
    typeof value === 'string' && lists.has(name) ? [value] : value,
  ])
  return Object.fromEntries(listed)
}

/** A write that failed is a problem of the call, with the words of its receipt. */
function problemOf({ code, message, details, receipt_id }: NonNullable<ReceiptResponse['error']>): Problem {
  const known = Object.hasOwn(problems, code) ? (code as ProblemCode) : 'internal_error'
  return new Problem(known, message, { details: { ...details, ...(receipt_id ? { receipt_id } : {}) } })
}

function receiptText({ receipt_id, state, entity }: ReceiptResponse): string {
  if (state !== 'applied') {
    return `Accepted, and not applied yet. It can't be lost. get_record with the id ${receipt_id} shows when it is applied.`
  }
  if (entity === undefined) return `Applied (receipt ${receipt_id}).`
  const { type, id, label, url } = entity
  return `Applied: ${type}${label === undefined ? '' : ` “${oneLine(label)}”`}, id ${id}${url === undefined ? '' : `, ${url}`}`
}
