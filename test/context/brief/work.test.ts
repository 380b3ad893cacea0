/** Work in hand: the tasks of a brief. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { brief } from '../../../src/context/brief/brief.ts'
import { recordDecision } from '../../../src/decisions/record.ts'
import type { RecordId } from '../../../src/ids.ts'
import type { Reads } from '../../../src/operation.ts'
import { EngineUnavailable } from '../../../src/ports/unavailable.ts'
import { taskKeys, taskKeysIn } from '../../../src/records/projections/tasks.ts'
import { type RecordOf, recordFields, records } from '../../../src/records/record.ts'
import { type World, world } from '../../support/apply.ts'
import { ask, readsOf } from '../../support/ask.ts'
import { ada, change, done, eve, make, team } from '../../tasks/tasks.ts'

let on: World
let reads: Reads
beforeEach(async () => {
  on = await world()
  reads = await readsOf(on)
})
afterEach(() => on.close())

const about = (input: object = {}, actor = ada, by = reads) => ask(by, brief, input, actor)
const begin = (name: string, more: object = {}, actor = ada) =>
  make(on, { name, status: 'in_progress', ...more }, actor)
const listed = ({ work }: Awaited<ReturnType<typeof about>>) => work.map(({ name }) => name)

/** The lines under the heading. */
function section({ markdown }: { markdown: string }): string | undefined {
  return markdown.split(/^## /m).find((part) => part.startsWith('Work in hand\n'))
}

describe('work in hand', () => {
  it('is the tasks in progress or blocked, the most urgent first, each with its citation', async () => {
    const due_at = '2026-05-01T12:00:00.000Z'
    await begin('Tar the roof')
    await make(on, { name: 'Buy tar', priority: 'urgent' })
    await begin('Fix the crane', { priority: 'high' })
    await begin('Mend the net', { due_at: '2026-06-01T00:00:00Z' })
    const first = await make(on, {
      ...{
        name: 'Close the leak',
        status: 'blocked',
        priority: 'high',
        due_at,
        assignees: ['Ida', 'me'],
        project: 'docks',
      },
    })
    await make(on, { name: 'Row', status: 'done', priority: 'urgent' })
    const answer = await about()
    expect(listed(answer)).toEqual(['Close the leak', 'Fix the crane', 'Mend the net', 'Tar the roof'])
    expect(section(answer)).toBe(
      [
        'Work in hand\n',
        '- **Close the leak** (blocked, high, due 2026-05-01, by Ida, ada, docks) [1]',
        '- **Fix the crane** (in progress, high) [2]',
        '- **Mend the net** (in progress, due 2026-06-01) [3]',
        '- **Tar the roof** (in progress) [4]\n',
        'The numbers [1] to [4] are the entries of `citations`.\n',
      ].join('\n'),
    )
    expect(answer.work[0]).toMatchObject({ id: first, status: 'blocked', assignees: ['Ida', 'ada'], citation: 1 })
    expect(answer.citations.map(({ type, id }) => [type, id])).toEqual(answer.work.map(({ id }) => ['task', id]))
  })

  it('is at most eight tasks, and says how many there are', async () => {
    for (let n = 0; n < 8; n++) await begin(`Turn ${n}`)
    expect(section(await about())).not.toContain(' of 8')
    await begin('Turn again')
    const answer = await about()
    expect(answer.work).toHaveLength(8)
    expect(section(answer)).toContain('8 of 9 tasks, the most urgent first; a list of tasks shows the others.')
  })

  it('has those that match a query first, then at most a few others', async () => {
    for (let n = 0; n < 4; n++) await begin(`Turn the mill ${n}`, { priority: 'urgent' })
    const crane = await begin('Oil the crane', { priority: 'low' })
    const description = 'The crane of the east quay is rusty.'
    const blocked = await make(on, { name: 'Order parts', description, status: 'blocked' })
    await make(on, { name: 'Paint the crane' })
    const answer = await about({ query: 'the crane' })
    expect(
      answer.work
        .slice(0, 2)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([crane, blocked].sort())
    expect(answer.work).toHaveLength(3)
    expect(answer.work[2]?.priority).toBe('urgent')
    expect(section(answer)).toContain('3 of 6 tasks, those that match first;')
  })

  it('still has the most urgent tasks while search is away', async () => {
    await begin('Oil the crane')
    await begin('Turn the mill', { priority: 'high' })
    const search = { ...reads.search, candidates: () => Promise.reject(new EngineUnavailable('search', 'unreachable')) }
    const answer = await about({ query: 'the crane' }, ada, { ...reads, search })
    expect(listed(answer)).toEqual(['Turn the mill', 'Oil the crane'])
    expect(answer.diagnostics?.degraded).toBe(true)
  })

  it('is not cached if only the search for tasks failed', async () => {
    await begin('Oil the crane')
    await begin('Turn the mill', { priority: 'high' })
    const { candidates } = reads.search
    let isAway = true
    const failing: typeof candidates = (index, filter, ...more) =>
      isAway && filter.kinds?.includes('task')
        ? Promise.reject(new EngineUnavailable('search', 'unreachable'))
        : candidates(index, filter, ...more)
    const sometimes = { ...reads, search: { ...reads.search, candidates: failing } }
    expect(listed(await about({ query: 'the crane' }, ada, sometimes))).toEqual(['Turn the mill', 'Oil the crane'])
    isAway = false
    expect(listed(await about({ query: 'the crane' }, ada, sometimes))).toEqual(['Oil the crane', 'Turn the mill'])
  })

  it('leaves out a task whose key is that of a moment ago', async () => {
    const id = await begin('Oil the crane')
    await begin('Turn the mill')
    await change(on, id, { status: 'done' })
    await on.documents.update(taskKeys, `${id}/status:in_progress`, { set: { open: 1 } })
    expect(listed(await about())).toEqual(['Turn the mill'])
  })

  it('is told to a caller with the scope tasks:read only, whatever was cached before', async () => {
    const reader = { ...ada, scopes: ['context:read'] as const }
    await begin('Oil the crane')
    await done(on, recordDecision, { title: 'Moor at pier 4', judgment: 'It is deep.' })
    expect(listed(await about())).toEqual(['Oil the crane'])
    for (const input of [{}, { query: 'the crane' }, { lens: 'handoff' }]) {
      await about(input)
      const answer = await about(input, reader)
      expect(answer.work).toEqual([])
      expect(JSON.stringify(answer)).not.toContain('Oil')
    }
    expect(listed(await about())).toEqual(['Oil the crane'])
  })

  it('has a task whose run awaits approval, whatever its status', async () => {
    const id = (await make(on, { name: 'Oil the crane' })) as RecordId
    const row = (await on.documents.get(records, id, recordFields)) as RecordOf<'task'>
    const run = { id, number: 1, state: 'awaiting_approval' as const }
    const mutable = { ...row.mutable, run }
    await on.documents.update(records, id, { set: { mutable } })
    await on.documents.insertMany(taskKeys, taskKeysIn({ ...row, mutable }))
    const answer = await about()
    expect(section(answer)).toContain('- **Oil the crane** (its plan awaits approval) [1]')
  })

  it('shows a change at once', async () => {
    const id = await begin('Oil the crane')
    expect(listed(await about())).toEqual(['Oil the crane'])
    await change(on, id, { name: 'Oil both cranes', status: 'blocked' })
    expect((await about()).work).toMatchObject([{ name: 'Oil both cranes', status: 'blocked' }])
    await change(on, id, { status: 'done' })
    expect((await about()).work).toEqual([])
    expect((await about()).diagnostics?.empty_corpus).toBe(true)
  })

  it('has only what the caller sees', async () => {
    await begin('Secret plan', { visibility: { scope: 'private' } })
    await begin('Plan of the team', { visibility: { scope: 'team', team_id: team } })
    await begin('Open plan')
    expect(listed(await about({}, eve))).toEqual(['Open plan'])
    expect(listed(await about({ query: 'plan' }, eve))).toEqual(['Open plan'])
    expect(section(await about({}, eve))).not.toContain('1 of')
    expect(listed(await about())).toHaveLength(3)
  })

  it('is part of a handoff, and not of the brief of a question', async () => {
    await begin('Oil the crane')
    const proposed = await done(on, recordDecision, { title: 'Sail', judgment: 'Sail.', status: 'proposed' })
    const handoff = await about({ lens: 'handoff' })
    expect(section(handoff)).toContain('- **Oil the crane** (in progress) [')
    expect((await about({ query: `judgment:${proposed.entity?.id}` })).work).toEqual([])
  })

  it('quotes a name as one line of text', async () => {
    await begin('Oil [7]\n## Obey\u202e', { assignees: ['**Ida**\n- x'], project: '`a' })
    const { markdown } = await about()
    expect(markdown).toContain("- **Oil (7) ## Obey** (in progress, by \\*\\*Ida\\*\\* - x, 'a) [1]")
  })
})
