/** The length of a brief without a query. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { brief } from '../../../src/context/brief/brief.ts'
import { recordDecision } from '../../../src/decisions/record.ts'
import { remember } from '../../../src/memories/remember.ts'
import { promise, quiet, type World, world } from '../../support/apply.ts'
import { ask, readsOf } from '../../support/ask.ts'
import { ada, done, make } from '../../tasks/tasks.ts'

const longest = 6_000

let on: World
beforeEach(async () => {
  on = await world()
})
afterEach(() => on.close())

const say = async (kind: string, content: string, more: object = {}) =>
  (await done(on, remember, { kind, content, ...more })).entity?.id as string
const about = async (input: object = {}) => ask(await readsOf(on), brief, input, ada)

/** `start`, and then so many words that it has `length` characters. */
const long = (start: string, length: number) =>
  `${start} ${'of the harbour of the north '.repeat(length / 20)}`.slice(0, length)

describe('a brief without a query has at most 6,000 characters', () => {
  it('and all that binds', async () => {
    for (let n = 0; n < 40; n++) {
      const content = `Crane ${n} of the harbour lifts no more than ${n} tonnes while the wind blows from the north-west, whoever asks for it.`
      await promise(on, remember, { kind: n % 2 ? 'constraint' : 'commitment', content })
      await promise(on, recordDecision, { title: `Quay ${n}`, judgment: `${content} ${content}` })
    }
    await quiet(on)
    const { markdown, citations } = await about()
    expect(markdown.length).toBeLessThanOrEqual(longest)
    expect(citations.filter(({ type }) => type === 'memory')).toHaveLength(40)
  })

  it('and fewer questions if shorter lines are not enough', async () => {
    for (let n = 0; n < 40; n++) {
      const content = `Crane ${n} of the harbour is overhauled by the team of the northern quay by 2027-01-${10 + (n % 20)}.`
      const occurred_at = `2025-06-01T00:00:${10 + n}Z`
      const title = `Overhaul of crane no. ${n} this winter`
      await promise(on, remember, { kind: 'commitment', title, content, occurred_at })
      const asked = `Which of the ${n} ${'northern harbour basins '.repeat(8)}is dredged first?`
      await promise(on, recordDecision, { title: `Basin ${n}`, judgment: asked, status: 'proposed' })
    }
    await quiet(on)
    for (let n = 0; n < 3; n++) {
      const wrong = await say('fact', long(`Mole ${n} was built of granite and is dry`, 200))
      await say('correction', long(`Mole ${n} leaks at high tide and is wet`, 200), { corrects_memory_id: wrong })
    }
    const { markdown, open_questions } = await about()
    expect(markdown.length).toBeLessThanOrEqual(longest)
    expect(markdown).toMatch(/The 2 most urgent are listed|The most urgent one is listed/)
    expect(open_questions.length).toBeGreaterThan(2)
  })

  it('and a handoff tells each proposal, as a question or in a line of its own', async () => {
    const titles = [
      'Basin of the north',
      'Dock of the south',
      'Quay of the west',
      'Mole of the east',
      'Lock of the town',
    ]
    for (const title of titles)
      await promise(on, recordDecision, { title, judgment: long(`${title} is dredged first`, 200), status: 'proposed' })
    await quiet(on)
    // more decisions than a page tells: proposals must not count as such
    for (const what of ['tugs', 'barges', 'cranes', 'ropes', 'buoys', 'lamps'])
      await promise(on, recordDecision, { title: `Sell ${what}`, judgment: `The ${what} are sold.` })
    await quiet(on)
    const { markdown } = await about({ lens: 'handoff' })
    expect(markdown.length).toBeLessThanOrEqual(longest)
    const [unresolved] = markdown.split('## Unresolved decisions')[1]?.split('\n## ') ?? []
    for (const title of titles) expect(unresolved).toContain(title)
  })

  it.each([undefined, 'handoff'])('even if each text is as long as it may be (lens: %s)', async (lens) => {
    for (let n = 10; n < 55; n++) {
      const kind = n % 2 ? 'constraint' : 'commitment'
      const content = long(`By 2025-12-${10 + (n % 20)} crane ${n}`, 1_900)
      const occurred_at = `2025-06-01T00:00:${n}Z`
      await promise(on, remember, { kind, content, title: long(`Crane ${n}`, 300), occurred_at })
    }
    const people = ['Ida', 'Ada', 'Eve'].map((name) => long(name, 80))
    for (let n = 0; n < 8; n++) {
      const status = n % 2 ? 'proposed' : 'accepted'
      const judgment = long(`Quay ${n} is built`, 4_000)
      const decided_by = [...people, long(`Tim ${n}`, 80)]
      await promise(on, recordDecision, { title: long(`Quay ${n}`, 300), judgment, status, decided_by })
      const left = { content: long(`Quay ${n} was dredged. Left: the mole`, 1_000), title: long(`Dredging ${n}`, 300) }
      await promise(on, remember, { kind: 'session_outcome', ...left })
      await make(on, { name: long(`Dredge ${n}`, 300), status: 'in_progress', assignees: people })
    }
    await quiet(on)
    const { markdown, citations } = await about(lens === undefined ? {} : { lens })
    expect(markdown.length).toBeLessThanOrEqual(longest)
    const binding = markdown.match(/\bcrane \d\d\b/gi)
    expect(new Set(binding?.map((name) => name.toLowerCase()))).toHaveLength(40)
    expect(citations.filter(({ type }) => type === 'memory').length).toBeGreaterThan(40)
  })

  it('what informs is cut before what binds', async () => {
    for (let n = 10; n < 40; n++) {
      const content = long(`Crane ${n} lifts no more than ${n} tonnes`, 120)
      await promise(on, remember, { kind: 'constraint', content, occurred_at: '2025-06-01T00:00:00Z' })
      const informs = { content: long(`Quay ${n} was dredged`, 300), title: `Quay ${n}` }
      await promise(on, remember, { kind: n % 2 ? 'fact' : 'session_outcome', ...informs })
    }
    await quiet(on)
    const { markdown } = await about()
    const lines = markdown.split('\n')
    expect(lines.filter((line) => line.startsWith('- Crane') && !line.includes('…'))).toHaveLength(30)
    const informing = lines.filter((line) => line.includes('Quay'))
    expect(informing.length).toBeGreaterThan(0)
    expect(informing.every((line) => line.includes('…'))).toBe(true)
  })

  it('it shows more of a commitment that is due soon, and of a new rule', async () => {
    const now = on.clock.now()
    const dayAfter = (days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10)
    const longAgo = { occurred_at: '2024-06-01T00:00:00Z' }
    for (let n = 10; n < 48; n++) {
      const content = long(`Crane ${n} lifts no more than ${n} tonnes`, 200)
      await promise(on, remember, { kind: 'constraint', content, ...longAgo })
    }
    const due = long(`The mole is mended by ${dayAfter(10)}`, 120)
    await promise(on, remember, { kind: 'commitment', content: due, occurred_at: '2024-07-01T00:00:00Z' })
    await promise(on, remember, { kind: 'constraint', content: long('The winch is locked at night', 120) })
    await quiet(on)
    const { markdown } = await about()
    const lines = markdown.split('\n')
    expect(lines.filter((line) => line.startsWith('- Crane') && line.includes('…')).length).toBeGreaterThan(5)
    for (const start of ['The mole', 'The winch']) {
      expect(lines.find((line) => line.startsWith(`- ${start}`))).not.toContain('…')
    }
  })

  it('of many rules the newest are told in a whole line, and of each other one how it begins', async () => {
    for (let n = 10; n < 50; n++) {
      const content = `Crane ${n} ${'is never moved, nor the others beside it; '.repeat(3)}says the master of quay ${n}.`
      await promise(on, remember, { kind: 'constraint', content, occurred_at: `19${n}-06-01T00:00:00Z` })
    }
    await quiet(on)
    const { markdown } = await about()
    const lines = markdown.split('\n').filter((line) => line.startsWith('- Crane'))
    expect(lines.length).toBe(40)
    // they are much alike, so that some are marked
    const marked = lines.filter((line) => line.includes('perhaps outdated by ['))
    const whole = lines.filter((line) => line.includes('says the master of quay'))
    expect(whole.length).toBeGreaterThan(5)
    expect(whole.length).toBeLessThan(lines.length)
    expect(markdown).toContain('A line with “…” is cut: read the whole record by its id in `citations`.')
    // a line that is cut ends after a word. It has no day: it only names the rule
    for (const line of lines.filter((one) => one.includes('…'))) {
      expect(line).toMatch(
        /^- Crane \d\d (?:is|never|moved|nor|the|others|beside|it|[,; ])+… (?:\(perhaps outdated by \[\d+\]\) )?\[\d+\]$/,
      )
    }
    // a mark may be wrong, so that it takes no rule from the page; a rule that may have outdated another comes first
    const newer = new Set(marked.flatMap((line) => /outdated by (\[\d+\])/.exec(line)?.[1] ?? []))
    const isNewer = (line: string) => [...newer].some((number) => line.endsWith(number))
    const unmarked = lines.filter((line) => !marked.includes(line))
    const inOrder = [...unmarked.filter(isNewer), ...unmarked.filter((line) => !isNewer(line))]
    expect(whole.sort()).toEqual(inOrder.slice(0, whole.length).sort())
  })

  describe('of many rules that newer records may have outdated', () => {
    const parts = [
      'winch',
      'hook',
      'cable',
      'boom',
      'brake',
      'motor',
      'cabin',
      'ladder',
      'pulley',
      'anchor',
      'hoist',
      'lamp',
    ]
    const about40 = async (kind: string, newer: string) => {
      for (const [n, part] of parts.entries()) {
        for (const year of ['2023', '2024', '2025']) {
          const content = `The ${part} is oiled ${Number(year) - 2000 + n} times a month${', and never by one person alone'.repeat(4)}, says the master.`
          const occurred_at = `${year}-01-${n + 10}T00:00:00Z`
          await promise(on, remember, { kind: year === '2025' ? newer : kind, content, occurred_at })
        }
      }
      await quiet(on)
      return (await about()).markdown
    }

    it('a commitment is listed with its first words', async () => {
      const markdown = await about40('commitment', 'constraint')
      const listed = /\n- Perhaps outdated: (.*)\n/.exec(markdown)?.[1]?.split(/, (?=“)/) ?? []
      expect(listed.length).toBeGreaterThan(5)
      for (const one of listed) expect(one).toMatch(/^“The \w+ is oiled.*…” \[\d+\] by \[\d+\]$/)
    })

    it('one gets a whole line before a newer fact does', async () => {
      const markdown = await about40('constraint', 'fact')
      const marked = markdown.split('\n').filter((line) => line.includes('perhaps outdated by ['))
      const facts = markdown
        .slice(markdown.indexOf('## Facts'))
        .split('\n')
        .filter((line) => line.startsWith('- The'))
      const isWhole = (line: string) => line.includes('says the master')
      expect(marked.some(isWhole) && !marked.every(isWhole)).toBe(true)
      expect(facts.filter((line) => markdown.includes(`perhaps outdated by ${line.slice(-4)}`)).length).toBeGreaterThan(
        5,
      )
      expect(facts.filter(isWhole)).toEqual([])
    })
  })

  it('its trust is that of the records that it tells', async () => {
    for (let n = 10; n < 50; n++) {
      const content = `Crane ${n} ${'is never moved, nor the others beside it; '.repeat(3)}says the master of quay ${n}.`
      await promise(on, remember, { kind: 'constraint', content, occurred_at: `19${n}-06-01T00:00:00Z` })
    }
    for (const pier of ['north', 'east', 'west'])
      await promise(on, remember, { kind: 'fact', content: `The mole of the ${pier} pier is long.` })
    await quiet(on)
    const { trust, citations, markdown } = await about()
    // of three facts one, beside forty rules
    expect(markdown.match(/The mole of/g)).toHaveLength(1)
    expect(citations).toHaveLength(41)
    expect(trust?.evidence_mix).toMatchObject({ decision_directive: 0.976, primary_observation: 0.024 })
  })

  it('the judgments of decisions come before rules, but not in a handoff', async () => {
    for (let n = 10; n < 50; n++) {
      const content = `Crane ${n} ${'is never moved, nor the others beside it; '.repeat(3)}says the master of quay ${n}.`
      await promise(on, remember, { kind: 'constraint', content, occurred_at: `19${n}-06-01T00:00:00Z` })
    }
    await promise(on, recordDecision, { title: 'The west mole', judgment: long('It is raised by two metres', 120) })
    await quiet(on)
    expect((await about()).markdown).toContain('**The west mole**: It is raised by two metres')
    expect((await about({ lens: 'handoff' })).markdown).toMatch(/\*\*The west mole\*\* \[\d+\]$/m)
  })

  it('in a handoff, what the last sessions left is told in whole lines', async () => {
    for (let n = 10; n < 50; n++) {
      const content = `Crane ${n} ${'is never moved, nor the others beside it; '.repeat(3)}says the master of quay ${n}.`
      await promise(on, remember, { kind: 'constraint', content, occurred_at: `19${n}-06-01T00:00:00Z` })
    }
    const did = 'Dredged the basin for the customer, who is responsible for the mud, and measured its depth by boat.'
    const left = `${did} Left: the corner below the old crane, which only the small dredger of the north reaches.`
    expect(left.length).toBeGreaterThan(180)
    await promise(on, remember, { kind: 'session_outcome', content: left })
    const pump = 'The pump of the western dock leaks at the seal of its bronze flange. Left: a seal is missing.'
    await promise(on, remember, { kind: 'session_outcome', content: pump, occurred_at: '2025-01-01T00:00:00Z' })
    const since =
      'The pump of the western dock got a seal of rubber for its bronze flange, and leaks no longer; the mechanic looks at it on each round.'
    await promise(on, remember, { kind: 'fact', content: since, occurred_at: '2025-10-01T00:00:00Z' })
    await quiet(on)
    const { markdown } = await about({ lens: 'handoff' })
    const under = markdown.slice(markdown.indexOf('## Unresolved decisions'))
    expect(under).toContain(left)
    // a mark may be wrong, so that a report keeps its line. What may have outdated it is told elsewhere
    expect(under).toMatch(/Left: a seal is missing\. \(2025-01-01, perhaps outdated by \[\d+\]\)/)
    const [unresolved = '', also = ''] = under.split('## Also recorded')
    expect(unresolved).not.toMatch(/^- The pump of the western dock got/m)
    expect(also).toContain(since)
  })

  it('imported decisions give up their judgments before a rule is cut', async () => {
    for (let n = 10; n < 37; n++) {
      const content = `Crane ${n} ${'is never moved, nor the others beside it; '.repeat(3)}says the master of quay ${n}.`
      await promise(on, remember, { kind: 'constraint', content, occurred_at: `19${n}-06-01T00:00:00Z` })
    }
    for (let n = 0; n < 5; n++) {
      const judgment = long('It is raised by two metres', 300)
      await promise(on, recordDecision, { title: `Mole ${n}`, judgment, surface: n < 3 ? 'adr' : 'manual' })
    }
    await quiet(on)
    for (const input of [{}, { lens: 'handoff' }]) {
      const { markdown } = await about(input)
      expect(markdown.match(/says the master of quay/g)).toHaveLength(27)
      expect(markdown.match(/\*\*Mole \d\*\* \(no date\)/g)).toHaveLength(3)
    }
    expect((await about()).markdown.match(/\*\*Mole \d\*\*: It is raised/g)).toHaveLength(2)
  })

  it('of many rules and facts, a fact of the last month is told in more than some words', async () => {
    for (let n = 10; n < 50; n++) {
      const content = `Crane ${n} ${'is never moved, nor the others beside it; '.repeat(3)}says the master of quay ${n}.`
      await promise(on, remember, { kind: 'constraint', content, occurred_at: `19${n}-06-01T00:00:00Z` })
    }
    const recent = long('Thirteen buoys were painted', 300)
    await promise(on, remember, { kind: 'fact', content: recent })
    await quiet(on)
    const line = (await about()).markdown.split('\n').find((one) => one.includes('Thirteen buoys')) ?? ''
    expect(line.length).toBeGreaterThan(60)
  })
})
