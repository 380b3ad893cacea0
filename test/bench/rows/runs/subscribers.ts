/** Counts the queries of the store while one run is watched. The service is in this process, so that they can be counted. */
import assert from 'node:assert/strict'
import type { Documents } from '../../../../src/ports/documents.ts'
import { serve } from '../../../http/serving.ts'
import { inFolder } from '../../processes.ts'
import { makeTasks, readStream, startRuns } from './calls.ts'
import { chatty, operatorFile } from './operator.ts'

const milestones = 40
/** ms between two milestones. */
const pause = 500
/** All must have joined by then: what it costs to join is not counted. */
const countedFrom = 24

/** Queries a second while a run that so many subscribers watch prints milestones. All of them read every milestone. */
export function queriesWatching(subscribers: number): Promise<number> {
  return inFolder(async (folder) => {
    let queries = 0
    const around = (documents: Documents) => counted(documents, () => queries++)
    const streams = { all: subscribers, workspace: subscribers, credential: subscribers }
    const serving = await serve({ around, env: operatorFile(folder, chatty(milestones, pause)), limits: { streams } })
    const now = () => ({ ms: performance.now(), queries })
    try {
      const target = { url: serving.url, key: serving.adminKey }
      const [task = ''] = await makeTasks(target, 1)
      await startRuns(target, [task], 30)
      let began = now()
      let ended: typeof began | undefined
      const watch = async () => {
        let own = 0
        await readStream(target, task, ({ data }) => {
          if (data.data === undefined) return
          own += 1
          // the last one to come as far, and the first one to come to the end
          if (own === countedFrom) began = now()
          if (own === milestones) ended ??= now()
        })
        assert.equal(own, milestones)
      }
      await Promise.all(Array.from({ length: subscribers }, watch))
      assert(ended && ended.ms > began.ms, 'all have joined before the end')
      return ((ended.queries - began.queries) / (ended.ms - began.ms)) * 1000
    } finally {
      await serving.stop()
    }
  })
}

const reads = ['get', 'find', 'count'] as const

function counted(documents: Documents, count: () => void): Documents {
  const counting = reads.map((name) => {
    const query = documents[name].bind(documents) as (...all: unknown[]) => unknown
    return [
      name,
      (...all: unknown[]) => {
        count()
        return query(...all)
      },
    ]
  })
  return { ...documents, ...Object.fromEntries(counting) }
}
