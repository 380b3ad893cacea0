/** The mark of a workspace. It is a document in the index itself, so it is lost or restored together with the index. */
import { errors } from '@elastic/elasticsearch'
import type { IndexMark } from '../../ports/search.ts'
import { type Deadline, deadlineIn, type Elastic } from './connection.ts'
import { unavailable } from './failure.ts'

/** Cannot clash with the ids of records, which are UUIDs. */
const idOf = (workspace: string) => `mark:${workspace}`

/** ms. */
const answersWithin = 5_000
/** Attempts. Each fails because another worker has written the mark meanwhile. */
const writesAtMost = 10

interface Kept {
  mark: IndexMark
  at: { if_seq_no: number; if_primary_term: number }
}

/** Undefined if there is no mark, or no index. */
export async function readMark(elastic: Elastic, index: string, workspace: string): Promise<IndexMark | undefined> {
  return (await read(elastic, index, workspace, deadlineIn(answersWithin)))?.mark
}

export async function writeMark(elastic: Elastic, index: string, workspace: string, mark: IndexMark): Promise<void> {
  await keepHighest(elastic, index, workspace, mark, 'create')
}

/** Returns false if there is no mark; it does not create one. */
export function advanceMark(elastic: Elastic, index: string, workspace: string, mark: IndexMark): Promise<boolean> {
  return keepHighest(elastic, index, workspace, mark, 'leave')
}

/**
 * Within one epoch the highest sequence stays, so a worker that was frozen for a long time cannot set the mark back.
 */
async function keepHighest(
  elastic: Elastic,
  index: string,
  workspace: string,
  mark: IndexMark,
  missing: 'create' | 'leave',
): Promise<boolean> {
  const deadline = deadlineIn(answersWithin)
  for (let writes = 0; writes < writesAtMost; writes++) {
    const kept = await read(elastic, index, workspace, deadline)
    if (kept === undefined && missing === 'leave') return false
    if (kept?.mark.epoch === mark.epoch && kept.mark.sequence >= mark.sequence) return true
    if (await write(elastic, index, workspace, mark, kept, deadline)) return true
  }
  throw unavailable(`the mark of ${workspace} was changed by other workers at every attempt`, 'busy')
}

async function read(
  { client, ask }: Elastic,
  index: string,
  workspace: string,
  deadline: Deadline,
): Promise<Kept | undefined> {
  const answer = await ask(
    (how) =>
      client
        .get<{ mark: IndexMark }>({ index, id: idOf(workspace), routing: workspace }, how)
        .catch((error: unknown) => {
          if (statusOf(error) === 404) return undefined
          throw error
        }),
    deadline,
  )
  if (answer?._source === undefined) return undefined
  const at = { if_seq_no: answer._seq_no as number, if_primary_term: answer._primary_term as number }
  return { mark: answer._source.mark, at }
}

/** Returns false if another worker has written the mark meanwhile. */
async function write(
  { client, ask }: Elastic,
  index: string,
  workspace: string,
  mark: IndexMark,
  kept: Kept | undefined,
  deadline: Deadline,
): Promise<boolean> {
  const condition = kept === undefined ? ({ op_type: 'create' } as const) : kept.at
  return ask(
    (how) =>
      client
        .index(
          { index, require_alias: true, id: idOf(workspace), routing: workspace, document: { mark }, ...condition },
          how,
        )
        .then(
          () => true,
          (error: unknown) => {
            if (statusOf(error) === 409) return false
            throw error
          },
        ),
    deadline,
  )
}

function statusOf(error: unknown): number | undefined {
  return error instanceof errors.ResponseError ? error.statusCode : undefined
}
