import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ReceiptBody } from '../support/http.ts'
import { folderOfTest, run, runJson, runOn } from './run.ts'
import { onlyAnId, serving } from './serving.ts'

const on = serving()
const { memory, decision, written } = on

describe('precedent remember', () => {
  it('remember prints only the id once reads show the memory, and says if the memory already exists', async () => {
    const text = 'Invoices go out on Mondays.'
    const first = await run(on.caller, 'remember', text)
    expect(first).toMatchObject({ code: 0, stderr: `Recorded as a fact.\nmemory “${text}”\n` })
    expect(first.stdout).toMatch(onlyAnId)
    expect((await run(on.caller, 'search', 'invoices')).stdout).toContain(first.stdout.trim())
    const again = await run(on.caller, 'remember', text)
    expect(again).toMatchObject({ code: 0, stdout: first.stdout })
    expect(again.stderr).toContain('Already recorded: the existing memory is confirmed.')
  })

  it('remember reads the text from standard input, and all other fields from options', async () => {
    const { code, stdout, stderr } = await runOn(
      on.caller,
      '\ufeffErst prüfen.\r\n\r\nDann zahlen.\n',
      ...['remember', '-', '--kind', 'constraint', '--title', 'Zahlungen', '--occurred-at', '2025-02-03'],
      ...['--visibility', 'private', '--topic', 'payments', '--topic', 'audit', '--source', 'ticket: 12'],
      ...['--source', 'https://example.com/rules', '--source', 'meeting:2025-02-03', '--source', '{"type":"mail"}'],
    )
    expect(code, stderr).toBe(0)
    expect(await memory(stdout)).toMatchObject({
      kind: 'constraint',
      title: 'Zahlungen',
      content: 'Erst prüfen.\r\n\r\nDann zahlen.',
      occurred_at: '2025-02-03T00:00:00.000Z',
      visibility: { scope: 'private' },
      topics: ['payments', 'audit'],
      sources: [
        { type: 'ticket', id: '12' },
        { type: 'url', url: 'https://example.com/rules' },
        { type: 'meeting', provenance: { class: 'meeting' } },
        { type: 'mail' },
      ],
    })
  })

  it('remember --corrects replaces a memory, and fails if the memory already has a successor', async () => {
    const wrong = await written('remember', 'The office opens at seven.')
    const right = await written('remember', 'The office opens at eight.', '--corrects', wrong)
    expect(await memory(wrong)).toMatchObject({ in_force: false, superseded_by: [{ id: right }] })
    const late = await run(on.caller, 'remember', 'The office opens at nine.', '--corrects', wrong)
    expect(late.code).toBe(1)
    expect(late.stderr).toContain(`Its newest successor is memory ${right}.`)
  })

  it('remember --corrects names the id of a memory that does not exist', async () => {
    const unknown = '00000000-0000-7000-8000-00000000dead'
    const none = await run(on.caller, 'remember', 'The office opens at ten.', '--corrects', unknown)
    expect(none).toMatchObject({ code: 1, stdout: '' })
    expect(none.stderr).toContain(`There is no memory with the id ${unknown}.`)
    const memory = await written('remember', 'The office opens at six.')
    const hidden = await run(
      on.caller,
      ...['remember', 'At five.', '--corrects', memory, '--visibility', `team:${unknown}`],
    )
    expect(hidden.stderr).toContain('There is no team with this id')
  })

  it('remember and get say from when a memory is in force', async () => {
    const ahead = await run(on.caller, 'remember', 'The office moves.', '--occurred-at', '2090-01-01')
    expect(ahead.stderr).toContain('Recorded as a fact: it is in force from 2090-01-01.')
    expect((await run(on.caller, 'get', ahead.stdout.trim())).stdout).toMatch(
      /State +fact, takes effect on 2090-01-01\n/,
    )
  })

  it('get shows the day of a decision that has no time', async () => {
    const id = await written('decide', 'Move house', '--judgment', 'We move.', '--decided-at', '2020-10-16')
    expect((await run(on.caller, 'get', id)).stdout).toMatch(/Decided +2020-10-16\n/)
  })

  it('outcome says if the outcome was recorded before', async () => {
    const id = await written('decide', 'Sell ice', '--judgment', 'We sell ice.')
    const fails = () => run(on.caller, 'outcome', id, '--status', 'failure', '--notes', 'It melted.')
    expect((await fails()).stderr).toContain('Recorded: failure.')
    expect(await fails()).toMatchObject({ code: 0, stderr: expect.stringContaining('Already recorded') })
    const wrong = await run(on.caller, 'outcome', 'ice', '--status', 'failure')
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('“ice” is not the id of a decision.') })
  })

  it('remember --json prints the receipt, even if the write is refused', async () => {
    const kept = await runJson<ReceiptBody>(on.caller, 'remember', 'The archive is in the cellar.')
    expect(kept).toMatchObject({ code: 0, body: { state: 'applied', entity: { type: 'memory' } } })
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
    const refused = await runJson<ReceiptBody>(on.caller, 'remember', `The token is ${secret}`)
    expect(refused).toMatchObject({ code: 1, body: { state: 'rejected', error: { code: 'secret_detected' } } })
    const asText = await run(on.caller, 'remember', `The token is ${secret}`)
    expect(asText).toMatchObject({ code: 1, stdout: '' })
    expect(asText.stderr).toMatch(
      /^precedent: Not recorded: Line 1 of content holds a credential \(github\)\. Nothing was /,
    )
  })
})

it('remember refuses a noted password, and records what is said about passwords', async () => {
  const noted = await run(on.caller, 'remember', 'password: hunter2hunter2 for kasse-db3')
  expect(noted).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('holds a credential (password)') })
  await written('remember', 'password: argon2id hashes, at least 12 characters; see <password> in the vault')
})

describe('precedent decide', () => {
  it('decide records a decision from options', async () => {
    const { code, stdout, stderr } = await runOn(
      on.caller,
      'Tests run on every push.\n',
      ...['decide', 'Test on push', '--judgment', '-', '--context', 'Faults were found late.', '--rationale', 'Speed.'],
      ...['--consequences', 'More machines.', '--by', 'Ada', '--by', 'Grace', '--external-id', 'adr/ci'],
      ...['--decided-at', '2025-03-04T05:06:07+02:00', '--category', 'engineering', '--significance', 'significant'],
    )
    expect(code, stderr).toBe(0)
    expect(stderr).toBe('Recorded: it is in force.\ndecision “Test on push”\n')
    expect(await decision(stdout)).toMatchObject({
      judgment: 'Tests run on every push.',
      context: 'Faults were found late.',
      rationale: 'Speed.',
      consequences: 'More machines.',
      decided_by: ['Ada', 'Grace'],
      external_id: 'adr/ci',
      decided_at: '2025-03-04T03:06:07.000Z',
      category: 'engineering',
      significance: 'significant',
    })
  })

  it('decide says whether the decision is unchanged, a new revision, a proposal or dated in the future', async () => {
    const decide = (judgment: string, ...more: string[]) =>
      run(on.caller, 'decide', 'Lunch', '--judgment', judgment, '--external-id', 'adr/lunch', ...more)
    const first = await decide('At noon.')
    const same = await decide('At noon.')
    expect(same).toMatchObject({ code: 0, stdout: first.stdout })
    expect(same.stderr).toContain('nothing has changed')
    expect((await decide('At one.')).stderr).toContain('Recorded as revision 2: it is in force.')
    expect((await decide('At two.', '--decided-at', '2099-01-01')).stderr).toContain(
      'this revision is in force from 2099-01-01.',
    )
    const proposed = await run(on.caller, 'decide', 'Dinner', '--judgment', 'At six.', '--status', 'proposed')
    expect(proposed.stderr).toContain('Recorded with status proposed: it is not in force.')
  })

  it('decide reads a decision as JSON from a file or standard input, and options override it', async () => {
    const whole = {
      title: 'Two doors',
      judgment: 'The store has two doors.',
      context: { summary: 'Fire rules.', alternatives: [{ title: 'One door', why_not: 'Forbidden' }] },
      category: 'legal',
    }
    const file = join(folderOfTest(), 'decision.json')
    writeFileSync(file, JSON.stringify(whole))
    const made = await written('decide', '--file', file, '--category', 'compliance', '--by', 'Ada')
    expect(await decision(made)).toMatchObject({
      judgment: whole.judgment,
      context_parts: whole.context,
      category: 'compliance',
      decided_by: ['Ada'],
    })
    const { code, stdout } = await runOn(on.caller, JSON.stringify({ ...whole, title: 'Again' }), 'decide', '-')
    expect([code, (await decision(stdout)).title]).toEqual([0, 'Again'])
    const wrong = await runOn(on.caller, '{"title":"A","judgment":"B","colour":1,"decided_by":"Ada"}', 'decide', '-')
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toContain('decided_by: ')
    expect(wrong.stderr).toContain('colour: ')
  })
})

describe('precedent outcome', () => {
  it('records how a decision worked out, and get shows it', async () => {
    const id = await written('decide', 'Straw boxes', '--judgment', 'Straw.')
    const options = ['--status', 'failure', '--notes', '-', '--observed-at', '2026-01-31', '--source', 'ticket:12']
    const first = await runOn(on.caller, 'They burnt.\n', 'outcome', id, ...options)
    expect(first, first.stderr).toMatchObject({ code: 0, stdout: `${id}\n` })
    expect(await decision(id)).toMatchObject({
      outcome: {
        outcome_status: 'failure',
        outcome_notes: 'They burnt.',
        observed_at: '2026-01-31T00:00:00.000Z',
        sources: [{ type: 'ticket', id: '12' }],
      },
    })
    expect((await run(on.caller, 'get', id)).stdout).toMatch(/Outcome +failure \(2026-01-31.*\): They\s+burnt\./)
    const json = await runJson<ReceiptBody>(on.caller, 'outcome', id, '--status', 'success')
    expect(json).toMatchObject({ code: 0, body: { operation: 'decision.outcome', entity: { type: 'decision', id } } })
  })

  it('refuses a proposal, a wrong id and a missing status', async () => {
    const id = await written('decide', 'Glass boxes', '--judgment', 'Glass.', '--status', 'proposed')
    const refused = await run(on.caller, 'outcome', id, '--status', 'success')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('only one that was decided has an outcome')
    for (const wrong of [[id], ['boxes', '--status', 'success'], [id, '--status', 'great']]) {
      expect((await run(on.caller, 'outcome', ...wrong)).code).toBe(2)
    }
  })
})

describe('precedent supersede', () => {
  const decide = (title: string, ...more: string[]) => written('decide', title, '--judgment', `${title}.`, ...more)

  it('supersede records a decision that replaces an older one, named by id or external id', async () => {
    const first = await decide('Paper forms', '--external-id', 'forms/1')
    const reason = ['--reason', 'Paper is lost.']
    const by = await run(on.caller, 'supersede', 'forms/1', 'Web forms', '--judgment', 'On the web.', ...reason)
    expect(by.code).toBe(0)
    expect(by.stderr).toContain(`It supersedes “Paper forms” (${first}).`)
    const second = by.stdout.trim()
    expect(await decision(second)).toMatchObject({ supersedes: [first], supersession_reason: 'Paper is lost.' })
    const third = await written('supersede', second.toUpperCase(), 'No forms', '--judgment', 'None.')
    expect(await decision(second)).toMatchObject({ in_force: false, superseded_by_decision_id: third })
  })

  it('supersede says if the older decision already has a successor', async () => {
    const first = await decide('Fax')
    const second = await written('supersede', first, 'Mail', '--judgment', 'Mail.')
    const late = await run(on.caller, 'supersede', first, 'Pigeons', '--judgment', 'Pigeons.')
    expect(late).toMatchObject({ code: 1, stdout: '' })
    expect(late.stderr).toContain(
      `This decision is already superseded, by “Mail”.\n  Supersede that decision instead: ${second}.`,
    )
    const named = await decide('Telex', '--external-id', 'telex/1')
    await written('supersede', named, 'Letters', '--judgment', 'Letters.')
    const lateToo = await run(on.caller, 'supersede', 'telex/1', 'Doves', '--judgment', 'Doves.')
    expect(lateToo).toMatchObject({ code: 1, stdout: '' })
    expect(lateToo.stderr).toContain('This decision is already superseded, by “Letters”.')
    const split = await run(on.caller, 'decide', 'Pigeons', '--judgment', 'Too.', '--supersedes', first)
    expect(split.stderr).toContain(`It supersedes “Fax” (${first}). That decision already had a successor: ${second}.`)
  })

  it('supersede with the key of an earlier try answers as that try', async () => {
    const first = await decide('Slides')
    const again = ['supersede', first, 'Films', '--judgment', 'Films.', '--key', 'slides-to-films']
    const second = await written(...again)
    expect(await written(...again)).toBe(second)
    const other = await run(
      on.caller,
      'supersede',
      first,
      'Prints',
      '--judgment',
      'Prints.',
      '--key',
      'slides-to-prints',
    )
    expect(other.stderr).toContain('This decision is already superseded, by “Films”.')
  })

  it('supersede records nothing if the key sees no such decision, and says how to record it all the same', async () => {
    const unknown = '00000000-0000-7000-8000-00000000dead'
    const byId = await run(on.caller, 'supersede', unknown, 'Lead pipes', '--judgment', 'Lead.')
    expect(byId).toMatchObject({ code: 1, stdout: '' })
    expect(byId.stderr).toContain(`There is no decision with the id ${unknown}.`)
    const misspelt = await run(on.caller, 'supersede', 'pipes/none', 'Lead pipes', '--judgment', 'Lead.')
    expect(misspelt).toMatchObject({ code: 1, stdout: '' })
    expect(misspelt.stderr).toContain('There is no decision with the id or external id pipes/none.')
    expect(misspelt.stderr).toContain('use `precedent decide --supersedes pipes/none`')
    expect((await run(on.caller, 'decisions', 'lead pipes')).stdout).not.toContain('Lead pipes')
    const meant = await run(on.caller, 'decide', 'Lead pipes', '--judgment', 'Lead.', '--supersedes', 'pipes/none')
    expect(meant.code).toBe(0)
    expect(meant.stderr).toContain('It does not supersede pipes/none yet')
  })

  it('supersede does not look for the older decision if the key may only write', async () => {
    const older = await decide('Clay pipes', '--external-id', 'pipes/1')
    const { body } = await runJson<{ key: string }>(
      on.caller,
      ...['keys', 'create', '--name', 'writer', '--scopes', 'context:write'],
    )
    const writer = { ...on.caller, key: body.key }
    for (const [named, title] of Object.entries({ 'pipes/1': 'Steel pipes', 'pipes/2': 'Glass pipes' })) {
      const { code, stderr } = await run(writer, 'supersede', named, title, '--judgment', `${title}.`)
      expect(code, stderr).toBe(0)
    }
    expect(await decision(older)).toMatchObject({ in_force: false })
  })

  it('supersede --with replaces a decision by one that exists', async () => {
    const [older, newer] = [await decide('Slate'), await decide('Copper')]
    const by = await run(on.caller, 'supersede', older, '--with', newer, '--reason', 'Slate breaks.')
    expect(by).toMatchObject({ code: 0, stdout: `${newer}\n` })
    expect(by.stderr).toContain(`It supersedes “Slate” (${older}).`)
    expect(await decision(older)).toMatchObject({ in_force: false, superseded_by_decision_id: newer })
    const late = await run(on.caller, 'supersede', older, '--with', await decide('Tin'))
    expect(late.code).toBe(1)
    expect(late.stderr).toContain(`Its newest successor is decision ${newer}.`)
    for (const wrong of [
      ['--with', 'tin'],
      ['Title', '--with', newer],
      ['--with', newer, '--judgment', 'Tin.'],
    ]) {
      expect((await run(on.caller, 'supersede', older, ...wrong)).code).toBe(2)
    }
  })

  it('a proposal supersedes nothing until it is accepted', async () => {
    const first = await decide('Flat roof')
    const proposed = await run(on.caller, 'supersede', first, 'Gable', '--judgment', 'Gable.', '--status', 'proposed')
    expect(proposed.stderr).toContain(`It does not supersede ${first} until it is accepted.`)
    expect(await decision(first)).toMatchObject({ in_force: true })
  })
})
