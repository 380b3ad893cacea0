/** The watermark of a workspace: a document of the index itself, so that it is lost or restored with the index. */
import { errors } from '@elastic/elasticsearch'
import type { Watermark } from '../../ports/search.ts'
import { type Deadline, deadlineIn, type Elastic } from './connection.ts'
import { unavailable } from './failure.ts'

/** Cannot clash with the ids of records, which are UUIDs. */
const idOf = (workspace: string) => `mark:${workspace}`

/** ms. */
const answersWithin = 5_000
/** Attempts. Each fails because another worker has written the mark meanwhile. */
const writesAtMost = 10

interface Kept {
  watermark: Watermark
  at: { if_seq_no: number; if_primary_term: number }
}

/** Returns undefined if the workspace has no watermark in the index, or if there is no such index. */
export async function readWatermark(
  elastic: Elastic,
  index: string,
  workspace: string,
): Promise<Watermark | undefined> {
  return (await read(elastic, index, workspace, deadlineIn(answersWithin)))?.watermark
}

export async function writeWatermark(
  elastic: Elastic,
  index: string,
  workspace: string,
  watermark: Watermark,
): Promise<void> {
  await keepHighest(elastic, index, workspace, watermark, 'create')
}

/** false: the workspace has no watermark, and none is created. */
export function advanceWatermark(
  elastic: Elastic,
  index: string,
  workspace: string,
  watermark: Watermark,
): Promise<boolean> {
  return keepHighest(elastic, index, workspace, watermark, 'leave')
}

/**
 * Within one epoch the highest sequence stays, so a worker that was frozen for a long time cannot set the mark back.
 */
async function keepHighest(
  elastic: Elastic,
  index: string,
  workspace: string,
  watermark: Watermark,
  missing: 'create' | 'leave',
): Promise<boolean> {
  const deadline = deadlineIn(answersWithin)
  for (let writes = 0; writes < writesAtMost; writes++) {
    const kept = await read(elastic, index, workspace, deadline)
    if (kept === undefined && missing === 'leave') return false
    if (kept?.watermark.epoch === watermark.epoch && kept.watermark.sequence >= watermark.sequence) return true
    if (await write(elastic, index, workspace, watermark, kept, deadline)) return true
  }
  throw unavailable(`other workers kept changing the watermark of ${workspace}`, 'busy')
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
        .get<{ mark: Watermark }>({ index, id: idOf(workspace), routing: workspace }, how)
        .catch((error: unknown) => {
          if (statusOf(error) === 404) return undefined
          throw error
        }),
    deadline,
  )
  if (answer?._source === undefined) return undefined
  const at = { if_seq_no: answer._seq_no as number, if_primary_term: answer._primary_term as number }
  return { watermark: answer._source.mark, at }
}

/** Returns false if another worker has written the mark meanwhile. */
async function write(
  { client, ask }: Elastic,
  index: string,
  workspace: string,
  watermark: Watermark,
  kept: Kept | undefined,
  deadline: Deadline,
): Promise<boolean> {
  const condition = kept === undefined ? ({ op_type: 'create' } as const) : kept.at
  return ask(
    (how) =>
      client
        .index(
          {
            index,
            require_alias: true,
            id: idOf(workspace),
            routing: workspace,
            document: { mark: watermark },
            ...condition,
          },
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
