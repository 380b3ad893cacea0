import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { priorityOf } from '../../src/questions/priority.ts'
import type { MemoryBody, Reason } from '../../src/records/body.ts'
import { repository } from '../support/repository.ts'

const rows = readFileSync(join(repository, 'docs/questions.md'), 'utf8')
  .split('\n## Priority, confidence, score\n')[1]
  ?.matchAll(/^\| `(\w+)` \| (\w+) \| ([\d.]+) \| ([\d.]+) \|$/gm)
const documented = [...(rows ?? [])].map(
  ([, reason, priority, confidence, score]) => [reason as Reason, priority, Number(confidence), Number(score)] as const,
)

const fact = { kind: 'memory', significance: null, body: { memory_kind: 'fact' } as MemoryBody } as const
const decision = (significance: string | null) => ({ kind: 'decision', significance }) as const

describe('the priority of a question', () => {
  it('is documented for each reason that a rule finds', () => {
    expect(documented.length).toBe(8)
  })

  it.each(documented)('about %s is the documented one', (reason, priority, confidence, score) => {
    expect(priorityOf(reason, fact)).toEqual({ priority, confidence, score })
  })

  it.each([
    ['watching', 'single_source', 'tracking'],
    ['tracking', 'explicit_question', 'blocking'],
    ['blocking', 'contradiction', 'blocking'],
  ] as const)('is raised one step from %s if the record binds, and the score by 0.08', (before, reason, after) => {
    const { score, ...plain } = priorityOf(reason, fact)
    expect(plain.priority).toBe(before)
    for (const binding of [
      decision('strategic'),
      ...(['constraint', 'commitment'] as const).map((memory_kind) => ({
        ...fact,
        body: { memory_kind } as MemoryBody,
      })),
    ]) {
      const raised = priorityOf(reason, binding)
      expect(raised).toMatchObject({ priority: after, confidence: plain.confidence })
      expect(raised.score).toBeCloseTo(score + 0.08, 10)
    }
  })

  it('stays the same for a significant record, and the score rises by 0.04', () => {
    const { priority, score } = priorityOf('low_confidence', decision('significant'))
    expect({ priority, score }).toEqual({ priority: 'watching', score: 0.54 })
    expect(priorityOf('low_confidence', decision(null)).score).toBe(0.5)
  })
})
