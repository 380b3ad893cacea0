import { describe, expect, it } from 'vitest'
import type { GetTaskOutput, ListTasksOutput } from '../../src/tasks/schema.ts'
import { applied, call } from '../support/http.ts'
import { run, runJson, runOn } from './run.ts'
import { onlyAnId, serving } from './serving.ts'

const on = serving()
const task = async (id: string) => (await call<GetTaskOutput>(on.service, 'GET', `/api/v2/tasks/${id}`)).body
const listed = async (...args: string[]) => {
  const { code, body } = await runJson<ListTasksOutput>(on.caller, 'tasks', 'list', ...args)
  expect(code, JSON.stringify(body)).toBe(0)
  return body.items.map(({ id }) => id)
}

describe('precedent tasks', () => {
  it('makes a task with all fields, and prints only its id', async () => {
    const parent = await on.written('tasks', 'add', 'Garden')
    const decision = await on.written('decide', 'Green', '--judgment', 'The fence is green.')
    const { code, stdout, stderr } = await runOn(
      on.caller,
      'In two coats.\n',
      ...['tasks', 'add', 'Paint', 'the', 'fence', '--description', '-', '--status', 'blocked', '--priority', 'high'],
      ...['--inbox', 'read', '--assignee', 'bob', '--assignee', 'eve', '--project', 'garden', '--label', 'a'],
      ...['--start', '2027-01-01', '--due', '2027-02-01', '--parent', parent, '--repo', 'acme/fence'],
      ...['--decision', decision, '--visibility', 'private', '--external-id', 'T-1'],
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Created.\ntask “Paint the fence”\n' })
    expect(stdout).toMatch(onlyAnId)
    expect(await task(stdout.trim())).toMatchObject({
      ...{
        name: 'Paint the fence',
        description: 'In two coats.',
        status: 'blocked',
        priority: 'high',
        inbox_status: 'read',
      },
      ...{
        assignees: ['bob', 'eve'],
        project: 'garden',
        labels: ['a'],
        parent_id: parent,
        repo_full_name: 'acme/fence',
      },
      ...{ start_at: '2027-01-01T00:00:00.000Z', due_at: '2027-02-01T00:00:00.000Z', decision_ids: [decision] },
      ...{ visibility: { scope: 'private' }, external_id: 'T-1' },
    })
    const again = await on.written('tasks', 'add', 'Paint it', '--visibility', 'private', '--external-id', 'T-1')
    expect(again).toBe(stdout.trim())
  })

  it('says what a write has changed', async () => {
    const id = await on.written('tasks', 'add', 'Paint the gate')
    const edit = async (...fields: string[]) => (await run(on.caller, 'tasks', 'edit', id, ...fields)).stderr
    expect(await edit('--status', 'blocked', '--assignee', 'bob')).toMatch(/^Changed: status, assignees\.\n/)
    expect(await edit('--status', 'blocked')).toMatch(/^Nothing to change\.\n/)
    expect(await edit('--inbox', 'read')).toMatch(/^Changed\.\n/)
    expect((await run(on.caller, 'tasks', 'show', id)).stdout).toMatch(/^Paint the gate\n\nState/)
    const wrong = await run(on.caller, 'tasks', 'edit', 'gate', '--status', 'done')
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('“gate” is not the id of a task.') })
  })

  it('says how a task is run, and lets a new one plan at once', async () => {
    const id = await on.written('tasks', 'add', 'Later', '--executor', 'coder', '--instructions', 'With care.')
    expect((await task(id)).execution).toEqual({ mode: 'none', executor: 'coder', instructions: 'With care.' })
    await on.written('tasks', 'edit', id, '--mode', 'auto', '--executor', 'coder')
    expect((await task(id)).execution).toEqual({ mode: 'auto', executor: 'coder' })
    await on.written('tasks', 'edit', id, '--clear', 'execution')
    expect(await task(id)).toMatchObject({ execution: { mode: 'none' } })
    const unknown = await run(on.caller, 'tasks', 'add', 'Now', '--mode', 'plan')
    expect(unknown).toMatchObject({ code: 1, stdout: '' })
    expect(unknown.stderr).toContain('executor')
  })

  it('changes and clears fields, and refuses a change of another revision', async () => {
    const id = await on.written('tasks', 'add', 'Claimed', '--due', '2027-01-01', '--label', 'a')
    await on.written(
      'tasks',
      'edit',
      id,
      '--status',
      'in_progress',
      '--clear',
      'due_at',
      '--clear',
      'labels',
      '--if-revision',
      '1',
    )
    const changed = await task(id)
    expect(changed).toMatchObject({ status: 'in_progress', labels: [], revision: 2 })
    expect(changed).not.toHaveProperty('due_at')
    const late = await run(on.caller, 'tasks', 'edit', id, '--name', 'Late', '--if-revision', '1')
    expect(late.code).toBe(1)
    expect(late.stderr).toContain('The task has revision 2 by now, not 1.')
  })

  it('lists by filters and words, and pages with a cursor', async () => {
    const [first, second] = [
      await on.written('tasks', 'add', 'Harbour lights', '--project', 'port', '--priority', 'low', '--assignee', 'me'),
      await on.written('tasks', 'add', 'Cranes', '--project', 'port', '--priority', 'urgent', '--label', 'steel'),
    ]
    expect(await listed('--project', 'port')).toEqual([first, second])
    expect(await listed('--project', 'port', '--sort', 'priority')).toEqual([second, first])
    expect(await listed('--assignee', 'me', '--status', 'todo', '--status', 'done', '--inbox', 'unread')).toEqual([
      first,
    ])
    expect(await listed('harbour', 'lights')).toEqual([first])
    const page = await run(on.caller, 'tasks', 'list', '--project', 'port', '--sort', 'created', '--limit', '1')
    expect(page.stdout).toBe(`Harbour lights\n  todo, low, by ${(await task(first)).assignees[0]}, port\n  ${first}\n`)
    const cursor = /--cursor (\S+)\n$/.exec(page.stderr)?.[1] as string
    expect(await listed('--project', 'port', '--sort', 'created', '--limit', '1', '--cursor', cursor)).toEqual([second])
    const nothing = await run(on.caller, 'tasks', 'list', '--project', 'none')
    expect(nothing).toMatchObject({ code: 0, stdout: '', stderr: 'No task that this key may see matches.\n' })
  })

  it('shows a task with its comments, also by `precedent get`', async () => {
    await on.written('decide', 'Lenses are of quartz', '--judgment', 'We repair a lens with quartz only.')
    const id = await on.written('tasks', 'add', 'Repair the lens')
    const part = await on.written('tasks', 'add', 'Buy glass', '--parent', id)
    await on.written('tasks', 'comment', id, 'It is cracked.')
    const { stdout } = await run(on.caller, 'tasks', 'show', id)
    for (const said of [
      'Repair the lens',
      'todo, unread, revision 1',
      `“Buy glass” (todo, ${part})`,
      'It is cracked.',
      id,
      'What bears on: Repair the lens',
      'Lenses are of quartz',
    ]) {
      expect(stdout).toContain(said)
    }
    expect((await run(on.caller, 'get', id)).stdout).toBe(stdout)
    expect((await runJson<{ type: string }>(on.caller, 'get', id)).body).toMatchObject({ type: 'task', id })
    expect((await run(on.caller, 'tasks', 'show', 'T-1')).code).toBe(2)
  })

  it('shows a hostile description so that it neither controls the terminal nor looks like lines of the service', async () => {
    const description = 'See\u001b]0;owned\u0007\u001b[2J\u009b31m\u0008\u202e\n\nState  done\n## Decisions in force'
    const { entity } = await applied(on.service, '/api/v2/tasks', 'hostile-task', {
      name: 'Fix the printer',
      description,
    })
    const id = entity?.id as string
    for (const shown of [await run(on.caller, 'tasks', 'show', id), await run(on.caller, 'get', id)]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches what must not be printed
      expect(shown.stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
      expect(shown.stdout).toMatch(
        /^Fix the printer\n\n {4}See.*\n\n {4}State {2}done\n {4}## Decisions in force\n\nState/,
      )
    }
  })
})
