/** The mark of a workspace: a document of the index itself, so that it is lost or restored with it. */
import { errors } from '@elastic/elasticsearch'
import type { IndexMark } from '../../ports/search.ts'
import { type Deadline, deadlineIn, type Elastic } from './connection.ts'
import { unavailable } from './failure.ts'

/** Ids of records are uuids: none is like it. */
const idOf = (workspace: string) => `mark:${workspace}`

/** ms */
const answersWithin = 5_000
/** Each time another worker wrote it meanwhile. */
const writesAtMost = 10

interface Kept {
  mark: IndexMark
  at: { if_seq_no: number; if_primary_term: number }
}

/** undefined also where the index is missing. */
export async function readMark(elastic: Elastic, index: string, workspace: string): Promise<IndexMark | undefined> {
  return (await read(elastic, index, workspace, deadlineIn(answersWithin)))?.mark
}

export async function writeMark(elastic: Elastic, index: string, workspace: string, mark: IndexMark): Promise<void> {
  await keepHighest(elastic, index, workspace, mark, 'make it')
}

/** false: there is none, and none is made. */
export function advanceMark(elastic: Elastic, index: string, workspace: string, mark: IndexMark): Promise<boolean> {
  return keepHighest(elastic, index, workspace, mark, 'leave it')
}

/** A worker that was frozen for long does not take it back: of one epoch the highest sequence stays. */
async function keepHighest(
  elastic: Elastic,
  index: string,
  workspace: string,
  mark: IndexMark,
  missing: 'make it' | 'leave it',
): Promise<boolean> {
  const deadline = deadlineIn(answersWithin)
  for (let writes = 0; writes < writesAtMost; writes++) {
    const kept = await read(elastic, index, workspace, deadline)
    if (kept === undefined && missing === 'leave it') return false
    if (kept?.mark.epoch === mark.epoch && kept.mark.sequence >= mark.sequence) return true
    if (await write(elastic, index, workspace, mark, kept, deadline)) return true
  }
  throw unavailable(`the mark of ${workspace} is written by others all the time`, 'busy')
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

/** false: another was first. */
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
