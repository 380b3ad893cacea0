/** What texts for people say of a decision beside its words: when it takes effect and ends, its day, and why it was rejected. */
import { beforeAll, expect, it } from 'vitest'
import { applied } from '../support/http.ts'
import { tool as callTool, connect } from '../support/mcp.ts'
import { run } from './run.ts'
import { serving } from './serving.ts'

const serves = serving()
const cli = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(serves.caller, ...args)
  expect(code, stderr).toBe(0)
  return stdout
}
const decide = async (title: string, more: object = {}) => {
  const receipt = await applied(serves.service, '/v1/decisions', `made-${title}`, {
    ...{ title, judgment: `${title}, we decide.` },
    ...more,
  })
  return receipt.entity?.id as string
}
const tool = async (name: string, args: Record<string, unknown>) => {
  const { text, isError } = await callTool(await connect(serves.service), name, args)
  expect(isError, text).toBe(false)
  return text
}

let rules: string
let optimiser: string
let rejected: string
let undated: string
beforeAll(async () => {
  rules = await decide('Rules', { decided_at: '2025-02-20T00:00:00Z' })
  optimiser = await decide('Optimiser', {
    ...{ decided_at: '2090-01-01T00:00:00Z', decided_by: ['Ada'], supersedes: [rules] },
  })
  rejected = await decide('Camera on the mast', { status: 'proposed', rationale: 'It sees the dunes.' })
  const question_id = `judgment:${rejected}`
  await applied(serves.service, '/v1/context/resolve', 'too-dear', {
    question_id,
    resolution: 'dismiss',
    note: 'Too dear.',
  })
  await decide('Buoys of steel', { status: 'rejected', rationale: 'They rust.' })
  undated = await decide('Bells', { surface: 'adr', external_id: 'bells' })
  await decide('Whistles', { surface: 'adr', external_id: 'whistles' })
  await decide('Horns', { decided_at: '2026-07-18T00:00:00Z', supersedes: ['bells'] })
})

it('lists of decisions show one that comes into force in the future, with its day', async () => {
  const marked = `1. Optimiser (takes effect on 2090-01-01)`
  expect(await cli('decisions', '--no-in-force')).toContain(marked)
  expect(await cli('decisions', '--since', '2089-12-01', '--until', '2090-12-31')).toContain(marked)
  expect(await cli('decisions', '--by', 'Ada')).toContain(marked)
  expect(await cli('search', '--decisions', 'optimiser')).toContain(marked)
  expect(await cli('decisions')).not.toContain('1. Optimiser')
  expect(await tool('search_decisions', { q: 'optimiser' })).toContain('(takes effect on 2090-01-01, 2090-01-01,')
})

it('a decision that will be replaced on a known day says until when it holds, and what comes then', async () => {
  const end = `until 2090-01-01, then replaced by “Optimiser” (decision ${optimiser})`
  expect(await cli('get', rules)).toMatch(
    new RegExp(`State +accepted, in force ${end.replace(/[()]/g, '\\$&')}, revision 1\n`),
  )
  expect(await tool('get_record', { id: rules })).toContain(`in force, ${end}, decided 2025-02-20`)
  expect(await cli('decisions')).toContain('Rules (until 2090-01-01, then “Optimiser”)')
  expect(await cli('get', optimiser)).toMatch(/State +accepted, takes effect on 2090-01-01, revision 1\n/)
  expect(await tool('get_record', { id: optimiser })).toContain(
    `, takes effect on 2090-01-01, decided 2090-01-01, by Ada`,
  )
})

it('a memory whose correction is dated ahead says so as well', async () => {
  const office = await serves.written('remember', 'The office is in Oslo.')
  const next = await serves.written(
    'remember',
    'The office is in Bergen.',
    '--corrects',
    office,
    '--occurred-at',
    '2090-02-01',
  )
  const end = `until 2090-02-01, then replaced by “The office is in Bergen.” (memory ${next})`
  expect(await cli('get', office)).toContain(`fact, in force ${end}\n`)
  expect(await tool('get_record', { id: office })).toContain(`in force, ${end}`)
})

it('a proposal that a person rejected tells the note of that person as the reason, and its own reasons as such', async () => {
  const told = [await cli('search', '--decisions', 'camera'), await cli('decisions', '--status', 'rejected', 'camera')]
  for (const text of told) {
    expect(text).toContain('Rejected because: Too dear.\n   Proposed because: It sees the dunes.\n')
    expect(text).not.toContain('Why:')
  }
  const whole = await cli('get', rejected)
  expect(whole).toMatch(/Rejected because +Too dear\.\nProposed because +It sees the dunes\.\n/)
  expect(whole).not.toMatch(/^Why/m)
  expect(await tool('search_decisions', { q: 'camera' })).toContain('Rejected because: Too dear.')
  const record = await tool('get_record', { id: rejected })
  expect(record).toContain('## Rejected because\n> Too dear.\n\n## Proposed because\n> It sees the dunes.')
  expect(record).not.toContain('## Rationale')
})

it('a decision that was recorded as rejected tells its rationale as the reason', async () => {
  expect(await cli('search', '--decisions', 'buoys steel')).toContain('Why: They rust.')
})

it('an imported decision whose file has no date is never told with the day of its import', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const texts = [
    await cli('decisions', '--no-in-force', 'bells'),
    await cli('search', '--decisions', 'horns'),
    await cli('graph', undated),
    await cli('graph', undated, '--mermaid'),
    await cli('search', 'whistles'),
    await tool('search_decisions', { external_id: 'bells' }),
    await tool('search_context', { q: 'whistles' }),
    await tool('get_record', { id: undated }),
  ]
  for (const text of texts) {
    expect(text).toContain('no date')
    expect(text).not.toContain(today)
  }
  expect(await cli('get', undated)).toMatch(new RegExp(`Decided +no date \\(imported ${today}`))
})

it('texts mark records that only the reader sees, and no others', async () => {
  const visibility = { scope: 'private' }
  const safe = await decide('Safe in the cellar', { visibility })
  await decide('Cellar of the mill', { decided_at: '2026-01-02T00:00:00Z' })
  const note = await serves.written('remember', 'The cellar key is under the mat.', '--visibility', 'private')
  await serves.written('remember', 'The cellar is dry.')
  for (const text of [await cli('search', 'cellar'), await cli('decisions', 'cellar', '--threshold', '0')]) {
    expect(text).toContain('. Safe in the cellar (private)\n')
    expect(text).toContain('. Cellar of the mill\n')
  }
  expect(await cli('search', 'cellar')).toContain('. The cellar key is under the mat. (private)\n')
  expect(await cli('search', 'cellar')).toContain('. The cellar is dry.\n')
  expect(await cli('get', safe)).toMatch(/State +accepted, in force, revision 1 \(private\)\n/)
  expect(await cli('get', note)).toMatch(/State +fact, in force \(private\)\n/)
  const found = await tool('search_context', { q: 'cellar' })
  expect(found).toContain('The cellar key is under the mat. (private) (memory')
  expect(found).toContain('The cellar is dry. (memory')
  expect(await tool('search_decisions', { q: 'cellar', threshold: 0 })).toContain('Safe in the cellar (private): Safe')
  expect(await tool('get_record', { id: safe })).toMatch(/^# Safe in the cellar \(private\)\n/)
  expect(await tool('get_record', { id: note })).toMatch(/^# The cellar key is under the mat\. \(private\)\n/)
  const brief = await cli('brief', 'cellar')
  const today = new Date().toISOString().slice(0, 10)
  expect(brief).toContain(`The cellar key is under the mat. (${today}, private)`)
  expect(brief).toMatch(/\*\*Safe in the cellar\*\*: .*\(\d{4}-\d\d-\d\d, private\)/)
  expect(brief.match(/private\)/g)).toHaveLength(2)
})
