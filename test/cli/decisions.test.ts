import { beforeAll, describe, expect, it } from 'vitest'
import type { FindOutput } from '../../src/decisions/find.ts'
import type { GraphOutput } from '../../src/decisions/graph.ts'
import { applied } from '../support/http.ts'
import { run, runJson } from './run.ts'
import { serving } from './serving.ts'

const serves = serving()
let sea: string
let rail: string
let night: string
let air: string
const decide = async (title: string, more: object = {}) => {
  const body = { title, judgment: `${title}, we decide.`, ...more }
  const receipt = await applied(serves.service, '/v1/decisions', `made-${title}`, body)
  expect(receipt.state, JSON.stringify(receipt)).toBe('applied')
  return receipt.entity?.id as string
}
beforeAll(async () => {
  sea = await decide('Ship by sea', { decided_at: '2024-01-01T00:00:00Z', category: 'operations' })
  rail = await decide('Ship "by" rail; end', {
    decided_at: '2025-01-01T00:00:00Z',
    supersedes: [sea],
    supersession_reason: 'Two crates were lost.',
    decided_by: ['Ann'],
    category: 'operations',
  })
  night = await decide('Ship at night', { decided_at: '2026-01-01T00:00:00Z', supersedes: [rail, sea] })
  expect((await run(serves.caller, 'outcome', sea, '--status', 'failure')).code).toBe(0)
  const entities = [{ type: 'service', id: 'cargo' }]
  air = await decide('Ship by air', {
    status: 'proposed',
    supersedes: [rail],
    decided_at: '2026-01-02T00:00:00Z',
    entities,
  })
})

describe('precedent graph', () => {
  it('prints what the decision superseded and what took its place as trees, each decision once', async () => {
    const { code, stdout, stderr } = await run(serves.caller, 'graph', rail)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`Ship "by" rail; end  not in force  2025-01-01  ${rail}
Took the place of:
└─ Ship by sea  not in force  2024-01-01  ${sea}: Two crates were lost.
Replaced by:
├─ Ship at night  in force  2026-01-01  ${night}
└─ Ship by air  proposed  pending  2026-01-02  ${air}
`)
    const from = await run(serves.caller, 'graph', night, '--direction', 'ancestors')
    expect(from.stdout.split('\n').slice(1, -1)).toEqual([
      'Took the place of:',
      expect.stringContaining('├─ Ship "by" rail; end  '),
      expect.stringContaining('│  └─ Ship by sea  '),
      '└─ Ship by sea (see above)',
    ])
  })

  it('prints a Mermaid diagram, and escapes the signs in titles that would end a label', async () => {
    const { stdout } = await run(serves.caller, 'graph', rail, '--mermaid', '--depth', '1', '--direction', 'ancestors')
    expect(stdout).toBe(`flowchart TD
  n0["Ship #34;by#34; rail#59; end, 2025-01-01, not in force"]
  n1["Ship by sea, 2024-01-01, not in force"]
  n0 --> n1
`)
    expect((await run(serves.caller, 'graph', air, '--mermaid')).stdout).toContain('n0 -. pending .-> n1\n')
  })

  it('prints the unchanged answer with --json, and fails for an unknown or invalid id', async () => {
    const { body } = await runJson<GraphOutput>(serves.caller, 'graph', sea)
    expect(body).toMatchObject({ root: sea, truncated: false, nodes: [{ id: sea }, {}, {}, {}] })
    expect((await run(serves.caller, 'graph', '01890000-0000-7000-8000-00000000dead')).code).toBe(1)
    expect((await run(serves.caller, 'graph', 'adr/12')).code).toBe(2)
    expect((await run(serves.caller, 'graph', sea, '--depth', '21')).code).toBe(2)
  })
})

describe('precedent decisions', () => {
  const found = async (...args: string[]) => {
    const { code, body } = await runJson<FindOutput>(serves.caller, 'decisions', ...args)
    expect(code, JSON.stringify(body)).toBe(0)
    return body.items.map(({ id }) => id)
  }

  it('lists the newest in force without a query and filters', async () => {
    const { code, stdout } = await run(serves.caller, 'decisions')
    expect(code).toBe(0)
    expect(stdout).toContain('1. Ship at night\n')
    expect(stdout).not.toContain('2. ')
  })

  it.each([
    [['--no-in-force', '--category', 'operations'], () => [rail, sea]],
    [['--by', 'Ann'], () => [rail]],
    [['--entity', 'cargo', '--entity-type', 'service'], () => [air]],
    [['--status', 'proposed', '--status', 'rejected'], () => [air]],
    [['--outcome', 'failure', '--outcome', 'mixed'], () => [sea]],
    [['--since', '2024-06-01', '--until', '2026-01-01'], () => [night, rail]],
    [['ship', 'at', 'night', '--in-force'], () => [night]],
  ])('finds decisions with %j', async (args, expected) => {
    expect(await found(...args)).toEqual(expected())
  })

  it('prints the cursor of the next page', async () => {
    const first = await run(serves.caller, 'decisions', '--no-in-force', '--limit', '1')
    const cursor = /--cursor (\S+)\n$/.exec(first.stderr)?.[1] as string
    expect(first.stdout).toContain(air)
    expect(await found('--no-in-force', '--limit', '1', '--cursor', cursor)).toEqual([rail])
  })

  it('says so if nothing matches, and refuses an invalid value', async () => {
    const nothing = await run(serves.caller, 'decisions', '--by', 'Zoe')
    expect(nothing).toMatchObject({ code: 0, stdout: '', stderr: 'No decision that this key may see matches.\n' })
    const { code, stderr } = await run(serves.caller, 'decisions', '--category', 'colour')
    expect(code).toBe(2)
    expect(stderr).toContain('Allowed choices are architecture')
  })
})
