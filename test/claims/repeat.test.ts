/**
 * The rule that finds proposals that repeat a failed decision, on pairs that its author wrote (repeats-of-the-author.jsonl).
 * They prevent regressions, and predict little: the rule was changed on these pairs.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Source } from '../../src/claims/reading/source.ts'
import { isRepeated } from '../../src/claims/repeat.ts'

interface Decision {
  title: string
  judgment: string
}
interface Pair {
  part: 'first' | 'second' | 'same judgment, other title'
  repeats: boolean
  failed: Decision
  proposed: Decision
}
const pairs = readFileSync(join(import.meta.dirname, 'repeats-of-the-author.jsonl'), 'utf8')
  .split('\n')
  .flatMap((line): Pair[] => (line === '' ? [] : [JSON.parse(line)]))

const sourceOf = ({ title, judgment }: Decision): Source => ({ title, text: judgment })
const find = ({ failed, proposed }: Pair) => isRepeated(sourceOf(failed), sourceOf(proposed))

describe('the rule for repeated decisions', () => {
  it('finds nothing in 66 pairs that do not repeat each other', () => {
    const others = pairs.filter(({ repeats }) => !repeats)
    expect(others).toHaveLength(66)
    expect(others.filter(find)).toEqual([])
  })

  it.each([
    ['first', 9, 20],
    ['second', 6, 10],
  ])('finds repeated decisions of the part “%s”: %i of %i', (part, found, all) => {
    const repeated = pairs.filter((pair) => pair.part === part && pair.repeats)
    expect(repeated).toHaveLength(all)
    expect(repeated.filter(find).length).toBeGreaterThanOrEqual(found)
  })

  it('does not depend on the order of the two', () => {
    const reversed = (pair: Pair) => find({ ...pair, failed: pair.proposed, proposed: pair.failed })
    expect(pairs.filter((pair) => find(pair) !== reversed(pair))).toEqual([])
  })

  const queues = { title: 'Redis for jobs', text: 'Background jobs are queued in Redis.' }
  it.each([
    ['the same words', 'Background jobs are queued in Redis.', true],
    ['two details more', 'Background jobs are queued in Redis streams by Celery.', true],
    ['many details more', 'Background jobs of the billing importer are queued in Redis streams by Celery.', false],
    ['another name', 'Background jobs are queued in Postgres.', false],
    ['a denial', 'Background jobs are not queued in Redis.', false],
    ['a part', 'Test jobs are queued in Redis in staging.', false],
    ['a complete list', 'Background jobs are queued in Redis only.', false],
    ['a condition', 'Background jobs are queued in Redis if Postgres is full.', false],
  ])('judges %s', (_, text, repeats) => {
    expect(isRepeated(queues, { title: 'Jobs', text })).toBe(repeats)
  })

  it('two judgments that contradict each other in another sentence repeat nothing', () => {
    const kept = (days: number) => ({ ...queues, text: `${queues.text} Logs of the queue are kept for ${days} days.` })
    expect(isRepeated(kept(30), kept(30))).toBe(true)
    expect(isRepeated(kept(30), kept(90))).toBe(false)
  })

  it.each([
    ['number', 'Audit logs are kept for 30 days.', 'Audit logs are kept for 90 days.'],
    ['date', 'The pilot kiosk opens on 1 May.', 'The pilot kiosk opens on 9 June.'],
    ['name', 'Only Ada and Bo may sign cheques.', 'Only Ada and Cem may sign cheques.'],
  ])('two claims that differ in a %s repeat nothing', (_, a, b) => {
    expect(isRepeated({ title: '', text: a }, { title: '', text: b })).toBe(false)
  })
})
