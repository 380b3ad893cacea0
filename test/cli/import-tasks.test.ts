import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GetTaskOutput, ListTasksOutput } from '../../src/tasks/schema.ts'
import { call } from '../support/http.ts'
import { startFaultyProxy } from './proxy.ts'
import { folderOfTest, run, runJson, start } from './run.ts'
import { serving } from './serving.ts'

const on = serving()

/** Writes a file and returns its path. Each test names its own project, so that it finds its tasks. */
function file(name: string, content: readonly object[] | string): string {
  const path = join(folderOfTest(), name)
  writeFileSync(path, typeof content === 'string' ? content : content.map((one) => JSON.stringify(one)).join('\n'))
  return path
}

async function tasksIn(project: string): Promise<GetTaskOutput[]> {
  const { body } = await call<ListTasksOutput>(on.service, 'GET', `/api/v2/tasks?project=${project}&sort=created`)
  return Promise.all(
    body.items.map(async ({ id }) => (await call<GetTaskOutput>(on.service, 'GET', `/api/v2/tasks/${id}`)).body),
  )
}

const fields = ({
  id,
  url,
  created_at,
  created_by,
  updated_at,
  subtasks,
  comments,
  activity,
  ...rest
}: GetTaskOutput) => rest

const imported = (path: string, ...args: string[]) => runJson(on.caller, 'import', path, ...args)

describe('precedent import of tasks', () => {
  it('reads JSONL: a task may name a parent and a decision by their external ids, on later lines or in the store', async () => {
    await imported(file('before.jsonl', [{ kind: 'task', name: 'Epic', external_id: 'E-0', project: 'before' }]))
    const path = file('tasks.jsonl', [
      { kind: 'task', name: 'Leaf', external_id: 'J-3', parent_id: 'J-2', project: 'jsonl', due_at: '2027-05-01' },
      { kind: 'task', name: 'Branch', external_id: 'J-2', parent_id: 'J-1', project: 'jsonl', decision_ids: ['adr/9'] },
      { name: 'Root', external_id: 'J-1', parent_id: 'E-0', project: 'jsonl', description: null },
      { title: 'Nine', judgment: 'We do nine.', external_id: 'adr/9' },
    ])
    expect(await imported(path)).toMatchObject({ code: 0, body: { tasks: 3, decisions: 1, imported: 4, refused: [] } })
    const [root, branch, leaf] = await tasksIn('jsonl')
    expect([root?.name, branch?.name, leaf?.name]).toEqual(['Root', 'Branch', 'Leaf'])
    expect([branch?.parent_id, leaf?.parent_id]).toEqual([root?.id, branch?.id])
    expect((await tasksIn('before'))[0]?.subtasks.items.map(({ id }) => id)).toEqual([root?.id])
    expect((await on.decision(branch?.decision_ids[0] ?? '')).title).toBe('Nine')
    expect(leaf?.due_at).toBe('2027-05-01T00:00:00.000Z')
    expect(await imported(path)).toMatchObject({ code: 0, body: { imported: 0, unchanged: 4, refused: [] } })
  })

  it('reads CSV without a column `kind` if it names tasks, and tells rows apart by that column', async () => {
    const plain = file(
      'plain.csv',
      'Name;External ID;Project;Status;Labels;Due at;Parent ID;Assignees\n' +
        'Paint;C-2;csv;in_progress;"[""a;b"",""c""]";2027-01-31;C-1;ada\n' +
        'Fence;C-1;csv;;;;;\n',
    )
    expect(await imported(plain)).toMatchObject({ code: 0, body: { tasks: 2, imported: 2 } })
    const [fence, paint] = await tasksIn('csv')
    expect(fields(paint as GetTaskOutput)).toMatchObject({
      ...{ name: 'Paint', status: 'in_progress', labels: ['a;b', 'c'], assignees: ['ada'], parent_id: fence?.id },
      ...{ due_at: '2027-01-31T00:00:00.000Z', external_id: 'C-2' },
    })
    const mixed = file('mixed.csv', 'kind,name,title,judgment,project\ntask,Dig,,,csv2\ndecision,,Ten,We do ten.,\n')
    expect(await imported(mixed)).toMatchObject({ code: 0, body: { tasks: 1, decisions: 1, imported: 2 } })
    expect(await tasksIn('csv2')).toHaveLength(1)
  })

  it('a column that only tasks have is left out of a CSV of decisions, as before', async () => {
    const path = file('decisions.csv', 'title,judgment,priority\nEleven,We do eleven.,high\n')
    const { code, body } = await imported(path, '--dry-run')
    expect(code).toBe(0)
    expect(body).toMatchObject({ decisions: 1, tasks: 0 })
    expect(JSON.stringify(body.notes)).toContain('column \\"priority\\" was not imported')
  })

  it('a dry run shows the tasks and what they name, and sends nothing', async () => {
    const path = file('dry.jsonl', [
      { name: 'Dry', project: 'dry', parent_id: 'D-1', decision_ids: ['adr/9'], due_at: '2027-03-04' },
    ])
    const { code, stdout } = await run(on.caller, 'import', path, '--dry-run', '--source', 'dry')
    expect(code).toBe(0)
    expect(stdout.replace(/ +/g, ' ')).toContain('STATUS DUE NAME EXTERNAL ID\n- 2027-03-04 Dry dry/dry.jsonl#1\n')
    expect(stdout).toContain('a part of D-1')
    expect(stdout).toContain('see adr/9')
    expect(stdout).toMatch(/Tasks found +1\n/)
    const { body } = await imported(path, '--dry-run')
    expect(body).toMatchObject({ tasks: 1, task_items: [{ line: 1, name: 'Dry', parent_id: 'D-1' }] })
    expect(await tasksIn('dry')).toEqual([])
  })

  it('null and a changed value change the task that is there, and a field that is left out stays', async () => {
    const before = { name: 'Kept', external_id: 'K-1', project: 'kept', priority: 'high', due_at: '2027-01-01' }
    await imported(file('kept.jsonl', [before]))
    const after = { name: 'Kept', external_id: 'K-1', due_at: null, labels: ['new'] }
    expect(await imported(file('kept.jsonl', [after]))).toMatchObject({ code: 0, body: { imported: 1, unchanged: 0 } })
    const [task] = await tasksIn('kept')
    expect(fields(task as GetTaskOutput)).toMatchObject({ priority: 'high', labels: ['new'], revision: 2 })
    expect(task).not.toHaveProperty('due_at')
  })

  it('refuses by file and line what cannot be imported, and imports the rest', async () => {
    const one = (name: string, more: object) => ({ kind: 'task', name, external_id: `R-${name}`, ...more })
    const path = file('bad.jsonl', [
      one('good', { project: 'bad' }),
      one('no parent', { parent_id: 'nowhere' }),
      one('below it', { parent_id: 'R-no parent' }),
      one('no decision', { decision_ids: ['adr/none'] }),
      one('circle 1', { parent_id: 'R-circle 2' }),
      one('circle 2', { parent_id: 'R-circle 1' }),
      one('itself', { parent_id: 'R-itself' }),
      one('good', { project: 'twice' }),
      one('a stranger', { visibility: { scope: 'team', team_id: '99999999-9999-7999-8999-999999999999' } }),
      one('too open', { parent_id: 'R-closed' }),
      one('closed', { visibility: { scope: 'private' } }),
      one('credential', { description: `The token is ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}.` }),
      one('wrong', { status: 'doing', priorty: 'high' }),
      one('late', { start_at: '2027-02-01', due_at: '2027-01-01' }),
    ])
    const { code, body } = await imported(path)
    expect(code).toBe(1)
    const refused = (body.refused as { file: string; line: number; code: string }[]).map((r) => [r.line, r.code])
    expect(refused).toEqual([
      [2, 'not_found'],
      [3, 'not_found'],
      [4, 'not_found'],
      [5, 'would_cycle'],
      [6, 'would_cycle'],
      [7, 'would_cycle'],
      [8, 'invalid_request'],
      [9, 'not_found'],
      [10, 'invalid_request'],
      [12, 'secret_detected'],
    ])
    const notes = (body.notes as { line: number; message: string }[]).map(({ line, message }) => `${line} ${message}`)
    expect(notes).toEqual([
      expect.stringMatching(/^13 .*(status|priorty)/),
      expect.stringMatching(/^13 .*(status|priorty)/),
      '14 due_at: must not be before start_at',
    ])
    expect((await tasksIn('bad')).map(({ name }) => name)).toEqual(['good'])
    expect(await tasksIn('twice')).toEqual([])
  })

  it('hostile lines and names do not stop the others, nor move the cursor of a terminal', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const path = file(
      'hostile.jsonl',
      [
        `{"kind":"task","name":"Nested","external_id":"H-1","labels":${deep}}`,
        '{"kind":"task","name":"Proto","external_id":"H-2","__proto__":{"status":"done"},"project":"hostile"}',
        `{"kind":"task","name":${JSON.stringify('x'.repeat(301))},"external_id":"H-3"}`,
        `{"kind":"task","name":"Long","external_id":"H-4","parent_id":${JSON.stringify('p'.repeat(301))}}`,
        JSON.stringify({ kind: 'task', name: 'Many', external_id: 'H-5', decision_ids: Array(51).fill('adr/9') }),
        JSON.stringify({ kind: 'task', name: 'Term\u001b[2Jinal', external_id: 'H-6', parent_id: '\u001b]0;x\u0007' }),
        '{"kind":"task","name":"Last","external_id":"H-7","project":"hostile"}',
      ].join('\n'),
    )
    const { code, stdout, stderr } = await run(on.caller, 'import', path)
    expect(code).toBe(1)
    for (const line of [1, 2, 3, 4, 5, 6]) expect(stdout).toContain(`hostile.jsonl:${line}  `)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be printed
    expect(stdout + stderr).not.toMatch(/\u001b|\u0007/)
    expect((await tasksIn('hostile')).map(({ name }) => name)).toEqual(['Last'])
  })

  it('continues after it was killed, and makes no task twice', async () => {
    const rows = Array.from({ length: 40 }, (_, n) => {
      const parent = n === 0 ? {} : { parent_id: `Q-${Math.floor(n / 8)}` }
      return { kind: 'task', name: `Task ${n}`, external_id: `Q-${n}`, project: 'killed', ...parent }
    })
    const path = file('killed.jsonl', rows.reverse())
    let writes = 0
    const proxy = await startFaultyProxy(on.service.url, (request) => {
      if (request !== 'POST /api/v2/tasks') return 'none'
      writes += 1
      if (writes === 20) first.kill('SIGKILL')
      return writes === 20 ? 'lost answer' : 'none'
    })
    const through = { ...on.caller, url: proxy.url, state: folderOfTest() }
    const first = start(through, 'import', path)
    await first.ended
    const resumed = await runJson(through, 'import', path)
    await proxy.close()
    expect(resumed).toMatchObject({ code: 0, body: { resumed: true, refused: [], tasks: 40 } })
    const made = await tasksIn('killed')
    expect(made.map(({ name }) => name).sort()).toEqual(rows.map(({ name }) => name).sort())
    expect(made.map(({ revision }) => revision)).toEqual(made.map(() => 1))
  })

  it('with --no-wait, a task may name a decision of the same file', async () => {
    const path = file('soon.jsonl', [
      { name: 'Soon', project: 'soon', decision_ids: ['adr/soon'] },
      { title: 'Soon', judgment: 'We do it soon.', external_id: 'adr/soon' },
    ])
    expect(await imported(path, '--no-wait')).toMatchObject({ code: 0, body: { refused: [], accepted: 2 } })
    await expect.poll(async () => (await tasksIn('soon'))[0]?.decision_ids).toHaveLength(1)
  })

  it('a key that may not read tasks imports them, and exports all but them', async () => {
    const scopes = ['context:read', 'tasks:write']
    const made = await call<{ key: string }>(on.service, 'POST', '/admin/keys', { name: 'w', user: 'w', scopes })
    const caller = { url: on.service.url, key: made.body.key, state: folderOfTest() }
    const path = file('blind.jsonl', [
      { kind: 'task', id: '01890000-0000-7000-8000-0000000000aa', name: 'Blind', external_id: 'B-1', project: 'blind' },
    ])
    expect(await runJson(caller, 'import', path)).toMatchObject({ code: 0, body: { applied: 1, refused: [] } })
    expect(await tasksIn('blind')).toHaveLength(1)
    const { code, stdout, stderr } = await run(caller, 'export')
    expect(code).toBe(0)
    expect(stdout).not.toContain('"kind":"task"')
    expect(stderr).toMatch(/Not exported: \d+ tasks \(the key needs tasks:read\)/)
  })
})
