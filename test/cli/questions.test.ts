import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applied } from '../support/http.ts'
import { run, runJson, runOn } from './run.ts'
import { serving } from './serving.ts'

const on = serving()
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'precedent-questions-'))
})
afterAll(() => folder !== undefined && rmSync(folder, { recursive: true, force: true }))

/** Proposes decisions and returns the ids of their questions. */
async function proposed(what: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 1; n <= count; n++) {
    const body = { title: `${what} ${n}`, judgment: `We fence ${what} ${n}.`, status: 'proposed' }
    const receipt = await applied(on.service, '/v1/decisions', `${what} of number ${n}`, body)
    ids.push(`judgment:${receipt.entity?.id}`)
  }
  return ids
}

describe('a claim of thousands of characters', () => {
  it('is cut in its middle, and whole with get and --json', async () => {
    const judgment = `First we fence the heath. ${'It needs another post. '.repeat(300)}Last we close the gate.`
    const body = { title: 'Heath', judgment, status: 'proposed' }
    const { entity } = await applied(on.service, '/v1/decisions', 'the long heath', body)
    const id = `judgment:${entity?.id}`
    const shown = await runJson<{ open_questions: { question_id: string; claim: string }[] }>(
      on.caller,
      ...['questions', 'list', '--reason', 'pending_judgment'],
    )
    const claim = shown.body.open_questions.find(({ question_id }) => question_id === id)?.claim ?? ''
    expect(claim.length).toBeGreaterThan(1_500)

    const listed = await run(on.caller, 'questions', 'list', '--reason', 'pending_judgment')
    const line = listed.stdout.split('\n').find((one) => one.startsWith(id)) ?? ''
    expect(line).toMatch(/\tHeath: First we fence the heath\. .* … .*another post/)
    expect(line.length).toBeLessThan(300)
    expect(listed.stderr).toContain('Long claims are cut. `precedent get ID` shows one whole, --json all of them.')
    expect((await run(on.caller, 'questions', 'list', '--ids')).stderr).not.toContain('Long claims')

    const asked = await run(on.caller, 'questions', 'heath')
    const question = asked.stdout.split('\n\n').find((one) => one.includes(id)) ?? ''
    expect(question).toMatch(/First we fence the heath\. .* … .*another post/)
    expect(question).toContain(`  the whole claim: precedent get ${id}\n`)
    expect(question.length).toBeLessThan(1_000)

    const got = await run(on.caller, 'get', id)
    expect(got.stdout).toContain(claim)
    expect(got.stdout).not.toContain('the whole claim')
  })
})

describe('precedent questions list and resolve', () => {
  it('answers all questions of a file that list wrote, and reports those that are closed', async () => {
    const ids = await proposed('meadow', 3)
    const listed = await run(on.caller, 'questions', 'list', '--reason', 'pending_judgment')
    for (const id of ids) expect(listed.stdout).toContain(`${id}\ttracking\tpending_judgment\tmeadow`)
    const file = join(folder, 'ids.txt')
    writeFileSync(file, `# of the meadow\n${ids[0]}\tand a comment\n\n${ids[1]}\n`)
    const dry = await run(on.caller, 'questions', 'resolve', '--file', file, '--dismiss', '--dry-run')
    expect(dry.code).toBe(0)
    expect(dry.stderr).toContain('Would answer 2 questions, reject 2 proposals. Nothing was changed.')
    const done = await run(on.caller, 'questions', 'resolve', '--file', file, '--dismiss', '--note', 'Too wet.')
    expect(done.code).toBe(0)
    expect(done.stdout.trim().split('\n').sort()).toEqual(ids.slice(0, 2).sort())
    const { stdout } = await run(on.caller, 'questions', 'list', '--ids')
    expect(stdout).not.toContain(ids[0])
    expect(stdout).toContain(`${ids[2]}`)
    const again = await runJson<{ results: { question_id: string; state: string; error?: { code: string } }[] }>(
      on.caller,
      ...['questions', 'resolve', '--file', file, '--id', ids[2] as string, '--dismiss'],
    )
    expect(again.code).toBe(1)
    const states = new Map(again.body.results.map((one) => [one.question_id, one]))
    expect(states.get(ids[0] as string)).toMatchObject({ state: 'refused', error: { code: 'revision_conflict' } })
    expect(states.get(ids[2] as string)).toMatchObject({ state: 'applied' })
  })

  it('reads ids from standard input, and a dry run names those that are not open', async () => {
    const [id = ''] = await proposed('orchard', 1)
    const args = ['questions', 'resolve', '--file', '-', '--confirm', '--dry-run']
    const dry = await runOn(on.caller, `${id}\njudgment:gone\n`, ...args)
    expect(dry.code).toBe(1)
    expect(dry.stdout).toContain(id)
    expect(dry.stderr).toContain('judgment:gone: it is closed, or it does not exist')
    expect((await run(on.caller, 'questions', 'list', '--ids')).stdout).toContain(id)
  })

  it('a dry run says how many proposals the answer would reject, accept or keep open, also those of one question', async () => {
    const question = { priority: 'watching', confidence: 0.5, reason: 'pending_judgment', claim: 'still open?' }
    const old = { ...question, question_id: 'clarification:proposals-1-2', proposals: 26 }
    const items = [old, { ...question, question_id: 'judgment:1' }, { ...question, question_id: 'fact:1' }]
    const server = createServer((_, response) => response.end(JSON.stringify({ items, has_more: false })))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const ids = items.flatMap(({ question_id }) => ['--id', question_id])
    const dry = async (...args: string[]) =>
      (await run({ ...on.caller, url }, 'questions', 'resolve', ...args, '--dry-run')).stderr
    expect(await dry(...ids, '--dismiss')).toContain('Would answer 3 questions, reject 27 proposals. Nothing')
    expect(await dry(...ids, '--confirm')).toContain(
      'Would answer 3 questions, accept 1 proposal, keep 26 old proposals open. Nothing',
    )
    expect(await dry(...ids, '--answer', 'None.')).toContain('Would answer 3 questions, replace 27 proposals. Nothing')
    expect(await dry('--id', 'fact:1', '--dismiss')).toContain('Would answer 1 question. Nothing')
    await new Promise((resolve) => server.close(resolve))
  })

  it('refuses wrong usage without changing anything', async () => {
    const resolve = (...args: string[]) => run(on.caller, 'questions', 'resolve', ...args)
    expect(await resolve('--dismiss')).toMatchObject({ code: 2 })
    expect(await resolve('--id', 'judgment:x')).toMatchObject({ code: 2 })
    expect(await resolve('--id', 'no-question', '--dismiss')).toMatchObject({ code: 2 })
    expect(await resolve('--file', join(folder, 'none.txt'), '--dismiss')).toMatchObject({ code: 2 })
    expect(await resolve('--file', '-', '--answer', '-')).toMatchObject({ code: 2 })
    expect(await run(on.caller, 'questions', 'list', '--reason', 'boredom')).toMatchObject({ code: 2 })
  })
})

describe('the note below precedent brief', () => {
  it('tells how many questions are open if the brief shows only ten of them', async () => {
    await proposed('hedge', 12)
    const listed = (await run(on.caller, 'questions', 'list', '--ids')).stdout.trim().split('\n').length
    expect(listed).toBeGreaterThan(11)
    const note = `10 of ${listed} open questions; \`precedent questions list\` shows all.`
    expect((await run(on.caller, 'brief')).stderr).toContain(note)
    expect((await run(on.caller, 'brief', 'hedge', 'fence', '--limit', '20')).stderr).toContain(
      'At least 10 open questions about this.',
    )
  })

  it('counts no question of another user', async () => {
    const mine = await runJson<{ key: string }>(on.caller, 'keys', 'create', '--name', 'Kim', '--user', 'kim')
    const kim = { ...on.caller, key: mine.body.key }
    const before = (await run(kim, 'brief')).stderr
    await run(on.caller, 'remember', 'I think that my own gate squeaks. Kim shall not know.', '--visibility', 'private')
    expect((await run(on.caller, 'brief')).stderr).not.toBe(before)
    expect((await run(kim, 'brief')).stderr).toBe(before)
  })
})
