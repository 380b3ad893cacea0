import assert from 'node:assert/strict'
import { describe, expect, it, vi } from 'vitest'
import { applied, type ReceiptBody } from '../support/http.ts'
import { run, runJson, runOn } from './run.ts'
import { serving } from './serving.ts'

const on = serving()
const { memory, decision, written } = on

describe('precedent questions and resolve', () => {
  /** Polls until there is a question: claims are compared after the write is applied. */
  async function asked(about: string, form: string): Promise<string> {
    const look = async () => {
      const { stdout } = await run(on.caller, 'questions', about)
      const found = new RegExp(`^ {2}precedent resolve (${form}:\\S+)$`, 'm').exec(stdout)?.[1]
      return found ?? assert.fail(`there is no question about ${about}`)
    }
    return vi.waitFor(look, { timeout: 20_000, interval: 100 })
  }
  async function contradiction(what: string) {
    const remember = (content: string, day: string) =>
      applied(on.service, '/v1/context/memories', `${what} ledger of ${day}`, {
        kind: 'fact',
        content,
        occurred_at: `${day}T00:00:00Z`,
      })
    const older = await remember(`Copies of the ${what} ledger are kept for 3 years.`, '2025-01-01')
    const newer = await remember(`We keep copies of the ${what} ledger for 7 years.`, '2025-02-01')
    const question = await asked(`${what} ledger copies`, 'clarification')
    return { older: older.entity?.id as string, newer: newer.entity?.id as string, question }
  }

  it('questions shows a contradiction and its answers; after --confirm the newer claim replaces the older and the question is closed', async () => {
    const { older, newer, question } = await contradiction('linden')
    const { stdout } = await run(on.caller, 'questions', 'linden ledger')
    expect(stdout).toContain('? Which of the two holds? “We keep copies of the linden ledger for 7 years.”')
    expect(stdout).toContain(`  ${question}  blocking  about memory ${newer}`)
    expect(stdout).toContain('    --confirm      the first one holds, and replaces the other')
    const json = await runJson<{ open_questions: { question_id: string }[] }>(on.caller, 'questions', 'linden ledger')
    expect(json.body.open_questions.map((one) => one.question_id)).toContain(question)
    const resolved = await run(on.caller, 'resolve', question, '--confirm', '--note', 'Asked Emil.')
    expect(resolved).toMatchObject({ code: 0, stdout: `${newer}\n` })
    expect(resolved.stderr).toContain('Confirmed.')
    expect(await memory(older)).toMatchObject({ in_force: false, superseded_by: [{ id: newer }] })
    expect(await memory(newer)).toMatchObject({ answers: [{ question_id: question, note: 'Asked Emil.' }] })
    expect((await run(on.caller, 'search', 'linden ledger')).stdout).toContain('No longer holds:')
    expect((await run(on.caller, 'questions', 'linden ledger')).stdout).not.toContain(question)
    const late = await run(on.caller, 'resolve', question, '--dismiss')
    expect(late.code).toBe(1)
    expect(late.stderr).toContain(`The question ${question} is closed: it was confirmed by the key “first start” at`)
    const several = await run(on.caller, 'questions', 'resolve', '--id', question, '--dismiss')
    expect(several.stderr).toContain('it was confirmed by the key “first start” at')
    const { body } = await runJson<{ key: string }>(
      on.caller,
      ...['keys', 'create', '--name', 'reader', '--scopes', 'context:read,context:write'],
    )
    const unnamed = await run({ ...on.caller, key: body.key }, 'resolve', question, '--dismiss')
    expect(unnamed.stderr).toMatch(/it was confirmed by key:[\da-f-]{36} at/)
  })

  it('resolve --correct replaces both contradicting memories with the text from standard input', async () => {
    const { older, newer, question } = await contradiction('maple')
    const text = 'Copies of the maple ledger are kept for 5 years.'
    const { code, stdout } = await runOn(on.caller, `${text}\n`, 'resolve', question, '--correct', '-')
    expect(code).toBe(0)
    expect(await memory(stdout)).toMatchObject({ content: text, in_force: true })
    for (const id of [older, newer]) expect(await memory(id)).toMatchObject({ in_force: false })
  })

  it('questions shows who will see an answer, and resolve --visibility keeps it private if the question allows it', async () => {
    const own = ['--visibility', 'private']
    const shared = await written('remember', 'Copies of the juniper ledger are kept for 3 years.')
    const mine = await written('remember', 'We keep copies of the juniper ledger for 7 years.', ...own)
    const question = await asked('juniper ledger copies', 'clarification')
    const { stdout } = await run(on.caller, 'questions', 'juniper ledger copies')
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'an answer is seen by everyone in the workspace, or you alone if --visibility says so',
    )
    const note = 'Copies of the juniper ledger are kept for 5 years.'
    const refused = await run(on.caller, 'resolve', question, '--confirm', ...own)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('allowed only with correct and answer') })
    const resolved = await run(on.caller, 'resolve', question, '--correct', note, ...own)
    expect(resolved.stderr).toContain('It is seen by you alone.')
    expect(await memory(resolved.stdout)).toMatchObject({ content: note, visibility: { scope: 'private' } })
    expect(await memory(mine)).toMatchObject({ in_force: false })
    expect(await memory(shared)).toMatchObject({ in_force: true })
  })

  it('resolve --confirm accepts a proposal, and --dismiss rejects one', async () => {
    const propose = (title: string) => written('decide', title, '--judgment', `${title}.`, '--status', 'proposed')
    const [good, bad] = [await propose('Adopt the walrus'), await propose('Adopt the heron')]
    expect(await asked('walrus', 'judgment')).toBe(`judgment:${good}`)
    const accepted = await run(on.caller, 'resolve', `judgment:${good}`, '--confirm')
    expect(accepted).toMatchObject({ code: 0, stdout: `${good}\n` })
    expect(accepted.stderr).toContain('The proposal is accepted.')
    expect(await decision(good)).toMatchObject({ status: 'accepted', in_force: true })
    const rejected = await runJson<ReceiptBody>(on.caller, 'resolve', `judgment:${bad}`, '--dismiss')
    expect(rejected).toMatchObject({ code: 0, body: { state: 'applied' } })
    expect(await decision(bad)).toMatchObject({ status: 'rejected' })
  })

  it('resolve --answer replaces one claim of a decision, and search shows the replaced claim', async () => {
    const claim = 'I think the hazel shop opens at seven.'
    const id = await written(
      'decide',
      'Open a hazel shop',
      '--judgment',
      `There will be a hazel shop in Bern. ${claim}`,
    )
    const note = 'The hazel shop opens at eight.'
    const answered = await run(on.caller, 'resolve', await asked('hazel shop', 'clarification'), '--answer', note)
    expect(await decision(id)).toMatchObject({ in_force: true, superseded_claims: [{ claim }] })
    const { stdout } = await run(on.caller, 'search', '--decisions', '--threshold', '0', 'hazel shop')
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      `No longer holds: “${claim}”: see “${note}” (memory ${answered.stdout.trim()})`,
    )
  })

  it('get shows which claims of a decision or memory no longer hold, since when, and what replaced them', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const [stall, shed] = ['I think the rowan stall opens at seven.', 'I think the rowan shed opens at six.']
    const decided = await written('decide', 'Open a stall', '--judgment', `There will be a stall in Bern. ${stall}`)
    const remembered = await written('remember', `Ada painted the shed. ${shed}`)
    for (const [id, claim] of Object.entries({ [decided]: stall, [remembered]: shed })) {
      const listed = (await run(on.caller, 'questions', 'list', '--reason', 'low_confidence')).stdout.split('\n')
      const question = listed.find((line) => line.includes(claim))?.split('\t')[0]
      const note = claim.replace('I think the', 'The').replace(/at \w+/, 'at eight')
      const answered = await run(on.caller, 'resolve', question as string, '--correct', note)
      const shown = (await run(on.caller, 'get', id)).stdout
      expect(shown).toMatch(/State .*, in force except for what no longer holds/)
      expect(shown).toMatch(new RegExp(`\nNo longer holds +“${claim}” since ${today}\\S+: replaced by “`))
      expect(shown).toContain(`: replaced by “${note}” (memory ${answered.stdout.trim()})\n`)
    }
  })

  it('resolve says that a decision stays if the question is what was learned from its failure', async () => {
    const answers = { 'Sell in alder shops': '--answer', 'Sell in willow shops': '--correct' }
    for (const [title, option] of Object.entries(answers)) {
      const id = await written('decide', title, '--judgment', 'We sell in shops.')
      await written('outcome', id, '--status', 'failure', '--notes', 'Nobody came.')
      const shown = await run(on.caller, 'questions', title)
      expect(shown.stdout).toContain('--answer "…"   what was learned; the decision stays as it is')
      const answered = await run(on.caller, 'resolve', await asked(title, 'clarification'), option, 'Rents are high.')
      expect(answered.stderr).toContain('Recorded. The decision stays as it is; `precedent supersede` replaces it.')
      expect(await decision(id)).toMatchObject({ in_force: true })
    }
  })

  it('resolve fails for an unknown question', async () => {
    const { code, stderr } = await run(on.caller, 'resolve', 'clarification:none', '--answer', 'Nobody.')
    expect(code).toBe(1)
    expect(stderr).toContain('There is no question with the id clarification:none.')
    const several = await run(on.caller, 'questions', 'resolve', '--id', 'clarification:none', '--dismiss')
    expect(several.stderr).toContain('There is no question with the id clarification:none.')
  })
})
