import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RecordId, WorkspaceId } from '../../src/ids.ts'
import type { Documents } from '../../src/ports/documents.ts'
import { records } from '../../src/records/record.ts'
import { milestoneBatchId, milestones } from '../../src/runs/stored/milestone.ts'
import { runners } from '../../src/runs/stored/runner.ts'
import { applied, type Body, type Serving, send, serve, write } from '../http/serving.ts'
import { noChromium } from '../support/chromium.ts'
import { skipIf } from '../support/skip.ts'
import { headingIs, openReader, type Reader } from './reader.ts'

describe('the pages of tasks', skipIf(noChromium), () => {
  let serving: Serving
  let documents: Documents
  let page: Reader
  let ann: string
  let ben: string

  beforeAll(async () => {
    serving = await serve({
      around: (opened) => {
        documents = opened
        return opened
      },
    })
    const scopes = ['context:read', 'tasks:read', 'tasks:write', 'tasks:run', 'tasks:approve'] as const
    ann = await serving.key([...scopes], { user: 'ann' })
    ben = await serving.key([...scopes], { user: 'ben' })
    // as a run worker does. There is no policy, and the executor makes no plans, so its runs wait for approval at once
    const executors = [{ name: 'coder', plans: false, repeatable: false, capacity: 2 }]
    await documents.insert(runners, { id: 'worker-1', seen_at: new Date().toISOString(), executors })
    page = await openReader()
    await page.enter(`${serving.url}/`, '', ann)
  })

  afterAll(async () => {
    await page?.close()
    await serving?.stop()
  })

  it('creates a task, and changes it unless somebody else has changed it meanwhile', async () => {
    await page.visit('tasks', 'Tasks')
    await page.click('New task')
    await page.type('#new-task [name=name]', 'Paint the fence')
    await page.type('#new-task [name=description]', 'In **green**.')
    await page.type('#new-task [name=assignees]', 'me, painter')
    await page.type('#new-task [name=due]', '2020-05-01')
    await page.click('Create the task')
    await page.until(headingIs('Paint the fence'))
    expect(await page.text('.standing')).toBe('To do. Assigned to ann, painter. It was due on 2020-05-01.')
    expect(await page.text('main strong:not(.standing *)')).toBe('green')

    const id = await page.evaluate<string>("location.pathname.split('/').at(-1)")
    await page.click('Edit it')
    await page.type('#edit [name=labels]', 'garden, wood')
    await page.type('#edit [name=due]', '')
    await page.click('Save the changes')
    await page.until("document.querySelector('main [role=status]').textContent === 'The task is changed.'")
    expect(await task(id)).toMatchObject({ labels: ['garden', 'wood'], description: 'In **green**.', revision: 2 })
    expect((await task(id)).due_at).toBeUndefined()

    await page.type('#edit [name=name]', 'Paint the gate')
    await applied(
      send(serving.url, 'PATCH', `/api/v2/tasks/${id}`, { key: ben, body: { project: 'Garden' }, headers: waits }),
    )
    await page.click('Save the changes')
    await page.until("document.querySelector('#edit [role=alert]')")
    expect(await page.evaluate("document.querySelector('#edit [name=name]').value")).toBe('Paint the gate')
    expect(await task(id)).toMatchObject({ name: 'Paint the fence', project: 'Garden' })
    await page.type('#edit [name=name]', 'Paint the fence')
  })

  it('starts a run, lets somebody else approve it, follows it, and cancels it', async () => {
    const { entity } = await create({ name: 'Mow the lawn' })
    await page.visit(`tasks/${entity.id}`, 'Mow the lawn')
    await page.click('Run it')
    await page.until(
      "document.querySelector('#start').innerText.includes('It waits for approval first, without a plan.')",
    )
    await page.evaluate("document.querySelector('#start form').requestSubmit()")
    await page.until("document.querySelector('#run .standing')?.innerText.startsWith('Waits for approval.')")
    await page.click('Approve this run')
    await page.until("document.querySelector('#run [role=alert]')")
    expect(await page.text('#run [role=alert]')).toContain('Somebody else must approve this run')

    await page.use(ben)
    await page.visit('', 'What to know now')
    await page.click('Mow the lawn')
    await page.until(headingIs('Mow the lawn'))
    await page.type('#run [name=note]', 'Not the flowers.')
    await page.click('Approve this run')
    await page.until("document.querySelector('#run .standing')?.innerText.startsWith('Waits for a worker.')")
    expect(await page.text('#run')).toContain('Not the flowers.')

    // the page learns it by itself
    await report((await task(entity.id)).run.id, ['Half of it is mown', 'The rest too'])
    await page.until("document.querySelectorAll('.milestones li').length === 2")
    expect(await page.text('.milestones')).toMatch(/Half of it is mown[\s\S]*The rest too/)
    await applied(
      write(serving.url, `/api/v2/tasks/${entity.id}/run/cancel`, {
        key: ann,
        body: { reason: 'It rains.' },
        headers: waits,
      }),
    )
    await page.until("document.querySelector('#run .standing')?.innerText.startsWith('Cancelled.')")
    expect(await page.allText()).toContain('It rains.')
    await page.use(ann)
  })

  it('takes a comment, and shows what others wrote as text', async () => {
    const hostile = '<img src=x onerror="window.ran = 1"> [x](javascript:window.ran=1)'
    const { entity } = await create({ name: hostile, description: hostile, labels: [hostile.slice(0, 100)] })
    await page.visit(`tasks/${entity.id}`, hostile)
    await page.type('[name=body]', hostile)
    await page.click('Comment')
    await page.until("document.querySelector('.card')")
    expect(await page.text('.card')).toMatch(/^ann, [\s\S]*<img src=x/)
    const bad = 'document.querySelectorAll(\'main :is(img, [onerror], [href^="javascript" i])\').length'
    expect(await page.evaluate(bad)).toBe(0)
    expect(await page.evaluate('window.ran === undefined')).toBe(true)
    expect((await task(entity.id)).comments.items[0].body).toBe(hostile)
  })

  it('lists the tasks that an address asks for, as a list or as a board', async () => {
    await create({ name: 'Prune the roses', status: 'blocked', project: 'Roses', priority: 'urgent' })
    await create({ name: 'Water the roses', project: 'Roses' })
    await create({ name: 'Plant the roses', status: 'done', project: 'Roses' })
    const shown = () => page.evaluate<string[]>("[...document.querySelectorAll('.task a')].map((one) => one.innerText)")
    await page.visit('tasks?project=Roses', 'Tasks')
    await page.until("document.querySelector('.task')")
    expect(await shown()).toEqual(['Prune the roses', 'Water the roses'])

    await page.visit('tasks?project=Roses&status=any&view=board', 'Tasks')
    await page.until("document.querySelector('.board')")
    const columns = "[...document.querySelectorAll('.board section')].map((one) => one.innerText.replace(/\\s+/g, ' '))"
    expect(await page.evaluate(columns)).toEqual([
      'To do Water the roses Roses',
      'Blocked Prune the roses Urgent Roses',
      'Done Plant the roses Roses',
    ])
    await page.visit('tasks?status=nothing', 'Tasks')
    await page.until("document.querySelector('[role=alert]')")
    expect(await page.text('[role=alert]')).toContain('status')
    await page.visit('tasks/nothing', 'There is no such task')
  })

  const waits = { prefer: 'wait=30' }

  async function create(body: Body): Promise<Body> {
    return applied(write(serving.url, '/api/v2/tasks', { key: ann, body, headers: waits }))
  }

  async function task(id: string): Promise<Body> {
    return (await send(serving.url, 'GET', `/api/v2/tasks/${id}`, { key: ann })).body
  }

  async function report(run: string, titles: readonly string[]): Promise<void> {
    const row = await documents.get(records, run, ['workspace', 'audience'])
    const { workspace, audience } = row as { workspace: WorkspaceId; audience: 'workspace' }
    const at = new Date().toISOString()
    const items = titles.map((title) => ({ at, type: 'milestone' as const, title, session_id: `${run}-1` }))
    const batch = { id: milestoneBatchId(run as RecordId, 1), workspace, audience, run: run as RecordId, first: 1 }
    await documents.insert(milestones, { ...batch, fence: 1, items, at })
  }
})
