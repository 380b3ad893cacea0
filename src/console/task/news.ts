/** Follows a run while its page is open. */
import { useEffect, useState } from 'preact/hooks'
import { asRefusal, useSurroundings } from '../parts/context.ts'
import type { Refusal } from '../service/http.ts'
import type { Milestone, Run } from '../service/service.ts'

/** Seconds that the service waits for news. */
const wait = 20

export interface News {
  milestones: readonly Milestone[]
  /** The run can't be followed any more. */
  refusal: Refusal | undefined
  again(): void
}

/** `onChange`: the state of the run has changed, or the task has a newer run. */
export function useNews(task: string, run: Pick<Run, 'id' | 'state'>, onChange: () => void): News {
  const { service } = useSurroundings()
  const [milestones, setMilestones] = useState<readonly Milestone[]>([])
  const [refusal, setRefusal] = useState<Refusal | undefined>(undefined)
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const abort = new AbortController()
    const follow = async () => {
      let [after, state] = [0, run.state]
      setMilestones([])
      for (;;) {
        const page = await service.runNews({ id: task, after, state, wait }, abort.signal)
        if (page.run_id !== run.id) return onChange()
        setMilestones((before) => [...before, ...page.milestones])
        if (page.state !== state) onChange()
        if (page.done) return undefined
        after = page.next_after
        state = page.state
      }
    }
    setRefusal(undefined)
    follow().catch((error: unknown) => {
      if (!abort.signal.aborted) setRefusal(asRefusal(error))
    })
    return () => abort.abort()
    // a new state is found by following
  }, [service, task, run.id, turn])
  return { milestones, refusal, again: () => setTurn((before) => before + 1) }
}
