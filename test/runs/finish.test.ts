import { expect, it } from 'vitest'
import { finishOf } from '../../src/runs/worker/finish.ts'
import { messageOf } from '../../src/runs/worker/messages.ts'
import type { Told } from '../../src/runs/worker/pump.ts'
import type { RunRow } from '../../src/runs/worker/run-row.ts'

const ending = { how: 'done' } as const
const executor = { needsResult: false }
const finish = (phase: 'plan' | 'run', told: Told) =>
  finishOf({ ending, over: undefined, told, run: { mutable: { phase } } as RunRow, executor })

it('submits the summary of a result with an unknown task status', () => {
  const result = messageOf('{"type":"result","summary":"Renamed it.","task_status":"in_review"}')
  expect(finish('run', { result } as Told)).toStrictEqual({
    ...{ state: 'succeeded', exitCode: 0 },
    next: { operation: 'run.ended', input: { result: { summary: 'Renamed it.', links: [] }, error: null } },
  })
})

it('fails the session if the journal would refuse its result or plan, instead of reporting a lost worker', () => {
  const result = { type: 'result' as const, summary: 'half \ud800', links: [] }
  const plan = { type: 'plan' as const, text: 'half \ud800', steps: [] }
  for (const [phase, what, field] of [
    ['run', 'result', 'result.summary'] as const,
    ['plan', 'plan', 'text'] as const,
  ]) {
    const { state, next } = finish(phase, { result, plan })
    expect(state).toBe('failed')
    expect(next).toMatchObject({ operation: 'run.ended', input: { result: null } })
    expect(next).toMatchObject({
      input: { error: { code: 'executor_failed', details: { reason: `invalid_${what}` } } },
    })
    expect(JSON.stringify(next)).toContain(`${field}: must be well-formed Unicode`)
  }
})
