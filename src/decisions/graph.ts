/** decision.graph: what a decision superseded and what took its place, as nodes and edges. */
import { z } from 'zod'
import type { RecordId } from '../ids.ts'
import { defineQuery } from '../operation.ts'
import { chunks } from '../ports/chunks.ts'
import { inTurns } from '../ports/in-turns.ts'
import { outcomeStatuses } from '../records/body.ts'
import { isUndated } from '../records/imported.ts'
import { inForce } from '../records/in-force.ts'
import { kinds } from '../records/kinds.ts'
import { urlField } from '../records/present/present.ts'
import { type RecordReader, recordReader } from '../records/read/reader.ts'
import { idsAtOnce, type SeenRecord } from '../records/read/seen-record.ts'
import { noSuch } from '../records/read/visible.ts'
import type { Successor } from '../records/record.ts'
import { instant, uuid } from '../validation/schema.ts'
import { type LinkReader, type LinkSeen, linkReader } from './graph-links.ts'
import { decisionStatuses } from './input.ts'

const mostDepth = 20
/** Nodes of one answer. */
const mostNodes = 500

const directions = ['ancestors', 'descendants', 'both'] as const

export const graphInput = z.strictObject({
  root: uuid.describe('The id of the decision or memory to begin with.'),
  depth: z.int().min(1).max(mostDepth).default(5).describe('Steps from the root, at most.'),
  direction: z
    .enum(directions)
    .default('both')
    .describe('ancestors: what it superseded. descendants: what took its place.'),
})
type GraphInput = z.output<typeof graphInput>

const graphNode = z.strictObject({
  type: z.enum(['decision', 'memory']),
  id: uuid,
  title: z.string(),
  status: z.enum(decisionStatuses),
  decided_at: instant,
  undated: z.literal(true).exactOptional().describe('decided_at is the instant of its import: its file has no date.'),
  in_force: z.boolean(),
  category: z.string().exactOptional(),
  significance: z.string().exactOptional(),
  outcome_status: z.enum(outcomeStatuses).exactOptional().describe('How it worked out, by the outcome observed last.'),
  depth: z.int().min(0).describe('Steps from the root, in either direction.'),
  url: z.string().exactOptional(),
})

const graphEdge = z.strictObject({
  from: uuid.describe('The newer one.'),
  to: uuid.describe('The older one.'),
  type: z
    .enum(['supersedes', 'pending'])
    .describe('pending: it has not taken effect, because it is dated ahead or its decision is not accepted.'),
  reason: z.string().exactOptional(),
  at: instant.exactOptional().describe('When it took effect, or will.'),
})
type Edge = z.output<typeof graphEdge>

export const graphOutput = z.strictObject({
  root: uuid,
  nodes: z.array(graphNode).describe('The root, then the others, nearest first.'),
  edges: z.array(graphEdge).describe('All supersessions between these nodes.'),
  truncated: z.boolean().describe(`Nodes within this depth were left out, because there are more than ${mostNodes}.`),
})
export type GraphOutput = z.output<typeof graphOutput>

export const decisionGraph = defineQuery<GraphInput, GraphOutput>({
  name: 'decision.graph',
  scope: 'context:read',
  summary: 'What a decision superseded and what took its place, as nodes and edges.',
  input: graphInput,
  output: graphOutput,

  async run({ input, actor, reads }) {
    const reader = recordReader(reads.documents, actor, reads.clock)
    const id = input.root as RecordId
    const root = (await reader.records([id])).get(id)
    if (!root || !kinds[root.kind].isKnowledge) throw noSuch('decision', 'root')
    const found = await walk(root, input, reader, linkReader(reader, reads.documents))
    return {
      root: id,
      nodes: [...found.nodes.values()].map((one) => nodeOf(one, reader.now, reads.publicUrl)),
      edges: found.edges,
      truncated: found.truncated,
    }
  },
})

interface Node {
  record: SeenRecord
  /** By id. */
  successors: ReadonlyMap<RecordId, Successor>
  depth: number
}
type Nodes = Map<RecordId, Node>

function nodeAt(record: SeenRecord, depth: number): Node {
  return { record, successors: new Map(record.successors.map((one) => [one.id, one])), depth }
}

/** One of the directions in which the graph is followed. */
interface Front {
  level: SeenRecord[]
  /** The ids on the next level, with hidden ones. */
  next(level: readonly SeenRecord[]): Promise<RecordId[]>
  /** Each direction has its own: a cycle reaches a record in both. */
  seen: Set<RecordId>
}

/** Level by level in all directions at once, so that the nodes found first are the nearest. */
async function walk(root: SeenRecord, input: GraphInput, reader: RecordReader, links: LinkReader) {
  const nodes: Nodes = new Map([[root.record_id, nodeAt(root, 0)]])
  const fronts = frontsOf(root, input.direction, links)
  let isFull = false
  for (let depth = 1; depth <= input.depth && !isFull; depth++) {
    const wanted = await Promise.all(fronts.map(({ next, level }) => next(level)))
    isFull = await readLevel([...new Set(wanted.flat())], depth, nodes, reader)
    for (const [at, front] of fronts.entries()) {
      const ids = new Set(wanted[at]?.filter((id) => !front.seen.has(id)))
      // also those that the other direction has found before
      front.level = [...ids].flatMap((id) => nodes.get(id)?.record ?? [])
      for (const id of ids) front.seen.add(id)
    }
  }
  const edges = await edgesBetween(nodes, links)
  return { nodes, edges, truncated: isFull || links.isCut() }
}

function frontsOf(root: SeenRecord, direction: GraphInput['direction'], links: LinkReader): Front[] {
  const front = (next: Front['next']): Front => ({ level: [root], next, seen: new Set([root.record_id]) })
  return [
    ...(direction === 'ancestors' ? [] : [front((level) => newerThan(level, links))]),
    ...(direction === 'descendants' ? [] : [front((level) => olderThan(level, links))]),
  ]
}

/** true: there are more than `mostNodes`. A hidden record takes no place. */
async function readLevel(ids: readonly RecordId[], depth: number, nodes: Nodes, reader: RecordReader) {
  for (const some of chunks(
    ids.filter((id) => !nodes.has(id)),
    idsAtOnce,
  )) {
    for (const [id, record] of await reader.records(some)) {
      if (!kinds[record.kind].isKnowledge) continue
      if (nodes.size === mostNodes) return true
      nodes.set(id, nodeAt(record, depth))
    }
  }
  return false
}

async function newerThan(level: readonly SeenRecord[], links: LinkReader): Promise<RecordId[]> {
  const pending = await links.to(level.map(({ record_id }) => record_id))
  return level.flatMap(({ record_id, successors }) => [
    ...successors.map(({ id }) => id),
    ...(pending.get(record_id) ?? []).map(({ successor }) => successor),
  ])
}

async function olderThan(level: readonly SeenRecord[], links: LinkReader): Promise<RecordId[]> {
  const pending = await links.from(level.map(({ record_id }) => record_id))
  return level.flatMap(({ record_id, supersedes }) => [
    ...supersedes,
    ...(pending.get(record_id) ?? []).map(({ target }) => target as RecordId),
  ])
}

/** In the order of the nodes. */
async function edgesBetween(nodes: Nodes, links: LinkReader): Promise<Edge[]> {
  const newest = await links.from([...nodes.keys()])
  const turn = inTurns()
  const steps: Step[] = []
  for (const [from, { record }] of nodes) {
    await turn()
    const others = newest.get(from) ?? []
    const taken = others.filter(({ state }) => state === 'taken').map(({ target }) => target as RecordId)
    const done = new Set([...record.supersedes, ...taken])
    for (const to of done) {
      const older = nodes.get(to)
      if (older) steps.push({ from, to, effect: older.successors.get(from) })
    }
    for (const link of others) {
      const to = link.target as RecordId
      if (nodes.has(to) && !done.has(to)) steps.push({ from, to, link })
    }
  }
  const further = await links.further(steps.filter(({ link, effect }) => !link && !effect))
  return steps.map((step) =>
    step.link ? pendingEdge(step, step.link) : doneEdge(step, step.effect ?? further.get(step)),
  )
}

interface Step {
  from: RecordId
  to: RecordId
  /** Absent: it has taken effect. */
  link?: LinkSeen
  /** When and why, as the older record names it. */
  effect?: Pick<Successor, 'valid_from' | 'reason'> | undefined
}

function doneEdge({ from, to }: Step, effect: Step['effect']): Edge {
  return {
    from,
    to,
    type: 'supersedes',
    ...(effect?.reason ? { reason: effect.reason } : {}),
    ...(effect ? { at: effect.valid_from } : {}),
  }
}

function pendingEdge({ from, to }: Step, { reason, state, due }: LinkSeen): Edge {
  return { from, to, type: 'pending', ...(reason ? { reason } : {}), ...(state === 'dated' ? { at: due } : {}) }
}

function nodeOf({ record, depth }: Node, now: string, publicUrl: string): z.output<typeof graphNode> {
  return {
    type: record.kind as 'decision' | 'memory',
    id: record.record_id,
    title: record.title,
    status: record.status,
    decided_at: record.valid_from,
    ...(isUndated(record) ? { undated: true as const } : {}),
    in_force: inForce(record, now),
    ...(record.category === null ? {} : { category: record.category }),
    ...(record.significance === null ? {} : { significance: record.significance }),
    ...outcomeField(record),
    depth,
    ...urlField(record, publicUrl),
  }
}

function outcomeField({ outcome_status }: SeenRecord) {
  return outcome_status === null || outcome_status === 'none' ? {} : { outcome_status }
}
