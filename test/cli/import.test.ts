import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, syncAll } from '../support/http.ts'
import { removeData, type Started, startService } from '../support/service.ts'
import { type Fault, startFaultyProxy } from './proxy.ts'
import { folderOfTest, run, runJson, start } from './run.ts'

interface Report {
  source: string
  decisions: number
  memories: number
  imported?: number
  unchanged?: number
  applied: number
  accepted: number
  superseding_links: number
  superseding_links_pending: number
  amendments: number
  not_decisions: { file: string; reason: string }[]
  notes: { file: string; line: number; message: string }[]
  refused: { file: string; line: number; code: string; message: string }[]
  unread_lines: number
  batch_ids: string[]
  resumed: boolean
}

const adr = (title: string, status: string, more = '') =>
  `# ${title}\n\n## Status\n\n${status}\n\n## Context\n\nWe had to.\n\n## Decision\n\nWe do ${title}.\n${more}`

const lines = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

describe('precedent import', () => {
  let service: Started
  const caller = (url = service.url) => ({ url, key: service.key, state: folderOfTest() })
  const changesOf = async (title: string) => (await syncAll(service)).filter((one) => one.title.startsWith(title))
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(async () => {
    await service.stop()
    await removeData(service.dataDir)
  })

  function file(name: string, text: string): string {
    const path = join(folderOfTest(), name)
    writeFileSync(path, text)
    return path
  }

  function tree(): string {
    const folder = join(folderOfTest(), 'team-decisions')
    mkdirSync(join(folder, 'adr'), { recursive: true })
    const newer = adr('2. Use a small queue', 'Accepted', '\nSupersedes [ADR 1](0001-use-a-big-queue.md)\n')
    writeFileSync(
      join(folder, 'adr', '0001-use-a-big-queue.md'),
      adr('1. Use a big queue', 'Superseded by [ADR 2](0002-use-a-small-queue.md)'),
    )
    writeFileSync(join(folder, 'adr', '0002-use-a-small-queue.md'), newer)
    writeFileSync(join(folder, 'adr', 'README.md'), '# Decisions\n\nAll of them.\n')
    return folder
  }

  it('a folder is imported with its supersession, and a second import finds everything unchanged', async () => {
    const folder = tree()
    const first = await runJson<Report>(caller(), 'import', folder)
    expect(first).toMatchObject({
      code: 0,
      body: { source: 'team-decisions', decisions: 2, imported: 2, unchanged: 0, superseding_links: 1 },
    })
    expect(first.body.not_decisions.map((one) => one.file)).toEqual(['adr/README.md'])
    const found = await changesOf('Use a ')
    expect(found.map((one) => [one.title, one.change_type])).toEqual(
      expect.arrayContaining([
        ['Use a big queue', 'superseded'],
        ['Use a small queue', 'upsert'],
      ]),
    )
    const second = await runJson<Report>(caller(), 'import', folder)
    expect(second).toMatchObject({ code: 0, body: { imported: 0, unchanged: 2 } })
    expect(await changesOf('Use a ')).toHaveLength(2)
  })

  it('counts the links of a proposal as waiting: it supersedes nothing until it is accepted', async () => {
    const folder = join(folderOfTest(), 'proposed')
    mkdirSync(join(folder, 'adr'), { recursive: true })
    writeFileSync(join(folder, 'adr', '0001-big.md'), adr('1. Use a big tank', 'Superseded by [ADR 2](0002-small.md)'))
    writeFileSync(
      join(folder, 'adr', '0002-small.md'),
      adr('2. Use a small tank', 'Proposed', '\nSupersedes [ADR 1](0001-big.md)\n'),
    )
    const { body } = await runJson<Report>(caller(), 'import', folder, '--dry-run')
    expect(body).toMatchObject({ superseding_links: 1, superseding_links_pending: 1 })
    const { stdout } = await run(caller(), 'import', folder, '--dry-run')
    expect(stdout).toMatch(/Superseding links +1 +1 of them wait until the proposal is accepted/)
  })

  it('the report for people is a table of counts', async () => {
    const { code, stdout, stderr } = await run(caller(), 'import', tree(), '--source', 'told')
    expect(code).toBe(0)
    expect(stdout).toMatch(/Imported from told in [\d.]+ s:/)
    expect(stdout).toMatch(/Decisions found +2\n +Imported +2 +new or changed\n +Unchanged +0\n/)
    expect(stderr).toBe('')
  })

  it('counts amendments, and a dry run shows which decisions the import will supersede', async () => {
    const folder = tree()
    writeFileSync(
      join(folder, 'adr', '0003-two.md'),
      adr('3. Two queues', 'Accepted', '\nAmends [ADR 2](0002-use-a-small-queue.md)\n'),
    )
    writeFileSync(
      join(folder, 'adr', '0004-none.md'),
      adr('4. No queue', 'Proposed', '\nSupersedes [ADR 3](0003-two.md)\n'),
    )
    const offline = { url: 'http://127.0.0.1:9', key: '', state: folderOfTest() }
    const dry = await run(offline, 'import', folder, '--dry-run')
    expect(dry.stdout).toMatch(/\nsuperseded +- +Use a big queue /)
    expect(dry.stdout).toMatch(/\naccepted +- +Use a small queue /)
    expect(dry.stdout).toMatch(
      /\naccepted +- +Two queues .*\n +amends team-decisions\/adr\/0002-use-a-small-queue\.md\n/,
    )
    expect(dry.stdout).toMatch(/\n +Amendments +1 +parts of older decisions that newer ones change\n/)
    const { body } = await runJson<Report & { items: object[] }>(offline, 'import', folder, '--dry-run')
    expect(body).toMatchObject({
      amendments: 1,
      items: [{ superseded: true }, {}, { amends: ['team-decisions/adr/0002-use-a-small-queue.md'] }, {}],
    })
    expect(body.items[2]).not.toHaveProperty('superseded')
    const sent = await run(caller(), 'import', folder, '--source', 'amending')
    expect(sent.stdout).toMatch(/\n +Amendments +1 /)
    expect((await runJson<Report>(caller(), 'import', folder, '--source', 'amending')).body.amendments).toBe(1)
  })

  it('imports each decision of a file that holds several, and a second import changes nothing', async () => {
    const folder = join(folderOfTest(), 'several')
    mkdirSync(folder, { recursive: true })
    const one = (heading: string, more = '') =>
      `## ${heading}\n\n**Status:** Accepted\n${more}\n**Decision:** ${heading}.\n\n`
    writeFileSync(
      join(folder, 'DECISIONS.md'),
      `${one('DEC-001: Cheap ink')}${one('DEC-002: Good ink', '\n**Supersedes:** DEC-001\n')}`,
    )
    const first = await runJson<Report>(caller(), 'import', folder, '--source', 'several')
    expect(first.body).toMatchObject({ decisions: 2, imported: 2, unchanged: 0, superseding_links: 1 })
    const second = await runJson<Report>(caller(), 'import', folder, '--source', 'several')
    expect(second.body).toMatchObject({ decisions: 2, imported: 0, unchanged: 2 })
    expect(await changesOf('Good ink')).toHaveLength(1)
  })

  it('the summary tells what was left out and why, which decisions have no date, and which amendments wait', async () => {
    const root = join(folderOfTest(), 'harbour')
    const folder = join(root, 'adr')
    mkdirSync(folder, { recursive: true })
    const names = ['0001-a', '0002-b', '0003-c', '0004-d']
    for (const name of names) writeFileSync(join(folder, `${name}.md`), adr(name, 'Accepted'))
    writeFileSync(join(folder, '0005-e.md'), adr('5. E', 'Proposed', '\nAmends [ADR 1](0001-a.md)\n'))
    writeFileSync(join(folder, '0006-f.md'), adr('6. F', 'Accepted\n\nAmended by [G](../other/0007-g.md)'))
    writeFileSync(join(folder, 'docker.md'), 'It was said that we want no containers.\n')
    writeFileSync(join(folder, 'template.md'), adr('Title', 'Proposed'))
    const said = (await run(caller(), 'import', root, '--source', 'summary')).stdout
    expect(said).toContain('Not imported, although beside decisions:\n  adr/docker.md:1  no signs of a decision\n')
    expect(said).toMatch(
      /Amendments +2 +parts .* change; 1 of them with decisions outside this import, 1 of them by proposals\n/,
    )
    expect(said).toMatch(/Dates +0 +6 decisions have none and count from this import\n/)
    expect(said).toMatch(/Not decisions +2 +1 no signs of a decision, 1 template \(--dry-run lists them\)\n/)
    expect(said).toContain(' and 5 more places  no date in ')
    expect(said).toContain('  (--dry-run lists every place)\n')
  })

  it('names in --json all files without a status, and prints one line for them', async () => {
    const folder = join(folderOfTest(), 'adr')
    mkdirSync(folder, { recursive: true })
    for (const name of ['0001-a.md', '0002-b.md', '0003-c.md'])
      writeFileSync(join(folder, name), `# ${name}\n\n2024-03-02\n\n## Decision\n\nYes.\n`)
    const offline = { url: 'http://127.0.0.1:9', key: '', state: folderOfTest() }
    const { body } = await runJson<Report>(offline, 'import', folder, '--dry-run')
    const message = 'it states no status, and 2 other files do not either: taken as accepted'
    expect(body.notes).toEqual([{ file: '0001-a.md', line: 1, message, other_files: ['0002-b.md', '0003-c.md'] }])
    const dry = (await run(offline, 'import', folder, '--dry-run')).stdout
    expect(dry).toContain(`0001-a.md:1  ${message}\n`)
    // a dry run names each place
    expect(dry).toContain('  0003-c.md:1  it states no status: taken as accepted\n')
    expect(dry).toMatch(/To check +3 +not understood, or guessed\n/)
  })

  it('says what a file lacks that is no decision record', async () => {
    const offline = { url: 'http://127.0.0.1:9', key: '', state: folderOfTest() }
    const guide = file('brewing.md', '# How to brew\n\nBoil the water.\n')
    const said = [
      'brewing.md was not imported as a decision (no signs of a decision).',
      'It lacks a section that says what was decided, such as “## Decision”, and beside it a status or a context.',
      'Add them, or give the file the name of a decision record, for example adr-001-use-one-file.md.',
      '',
    ].join('\n')
    expect((await run(offline, 'import', guide, '--dry-run')).stdout).toBe(said)
    expect(await run(caller(), 'import', guide)).toMatchObject({ code: 0, stdout: said })
  })

  it('the report counts dates by their origin, and files that look like records but are not read', async () => {
    const folder = join(folderOfTest(), 'adr')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, '0001-a.md'), `${adr('1. A', 'Accepted')}\n`)
    writeFileSync(join(folder, '2024-02-03-b.md'), `${adr('B', 'Accepted')}\n`)
    writeFileSync(join(folder, '0003-c.org'), '* C\n')
    writeFileSync(join(folder, '0004-d.rst'), '===  ===\na  b\n')
    const offline = { url: 'http://127.0.0.1:9', key: '', state: folderOfTest() }
    const dry = await run(offline, 'import', folder, '--dry-run', '--source', 'rehearsal')
    expect(dry.stdout).toMatch(
      /Dates +1 +0 from the text, 1 from names, 0 from git; 1 decision has none and counts from this import\n/,
    )
    expect(dry.stdout).toMatch(/Not read +2 +they may be records; listed above\n/)
    expect(dry.stdout).toMatch(/2024-02-03 \(name\)/)
    expect(dry.stdout).toContain('0003-c.org  not read: only Markdown, reStructuredText and AsciiDoc are')
    expect(dry.stdout).toContain('0004-d.rst  not read: the parser of reStructuredText failed (Reached end')
  })

  it('the report lists the files that were not read, and why', async () => {
    const folder = join(folderOfTest(), 'adr')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, '0001-a.rst'), 'A\n=\n\nStatus\n------\n\nAccepted\n\nDecision\n--------\n\nYes.\n')
    writeFileSync(join(folder, '0002-b.rst'), '===  ===\na  b\n')
    const { code, stdout } = await run(caller(), 'import', folder, '--source', 'unread')
    expect(code).toBe(0)
    expect(stdout).toContain('Not read:\n  0002-b.rst:1  the parser of reStructuredText failed (Reached end')
    expect(stdout).toMatch(/Imported +1 +new or changed\n/)
    expect(stdout).toMatch(/Not read +1 +they may be records; listed above\n/)
  })

  it('a dry run sends nothing and needs neither a service nor a key', async () => {
    const offline = { url: 'http://127.0.0.1:9', key: '', state: folderOfTest() }
    const dry = await run(offline, 'import', tree(), '--dry-run', '--source', 'rehearsal')
    expect(dry.code).toBe(0)
    expect(dry.stdout).toContain('Source: rehearsal')
    expect(dry.stdout).toContain('supersedes rehearsal/adr/0001-use-a-big-queue.md')
    expect(dry.stdout).toMatch(/adr\/README\.md/)
    expect(readdirSync(offline.state)).toEqual([])
  })

  it('valid lines are imported, and invalid lines are listed by file and line', async () => {
    const path = file(
      'mixed.jsonl',
      `${lines([{ title: 'Mixed good', judgment: 'Yes.' }, { title: 'Mixed without judgment' }])}not json\n${lines([
        { title: 'Mixed names nobody', judgment: 'Yes.', supersedes: ['00000000-0000-7000-8000-00000000dead'] },
      ])}`,
    )
    const { code, body } = await runJson<Report>(caller(), 'import', path)
    expect(code).toBe(1)
    expect(body).toMatchObject({ decisions: 2, imported: 1, unread_lines: 2 })
    expect(body.notes.map((note) => note.line)).toEqual([2, 3])
    expect(body.refused).toEqual([expect.objectContaining({ line: 4, code: 'not_found' })])
    expect(await changesOf('Mixed')).toHaveLength(1)
    const report = await run(caller(), 'import', path)
    expect(report.stdout).toContain('mixed.jsonl:4  not_found: ')
  })

  it('names each refusal even if the service refuses all decisions of a batch', async () => {
    const nobody = { judgment: 'Yes.', supersedes: ['00000000-0000-7000-8000-00000000dead'] }
    const path = file('refused.jsonl', lines(['a', 'b'].map((title) => ({ title, ...nobody }))))
    const { code, body } = await runJson<Report>(caller(), 'import', path)
    expect(code).toBe(1)
    expect(body).toMatchObject({ decisions: 2, imported: 0 })
    expect(body.refused.map(({ line, code }) => [line, code])).toEqual([
      [1, 'not_found'],
      [2, 'not_found'],
    ])
  })

  it('the report names kind, field and line of a credential, never the credential', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
    const rows = [
      { title: 'Kept', judgment: 'Yes.' },
      { title: 'Not kept', judgment: `One.\nTwo: ${secret}` },
    ]
    const path = file('secret.jsonl', lines(rows))
    const told = await run(caller(), 'import', path)
    expect(told.stdout).toContain(
      'secret.jsonl:2  secret_detected: Line 2 of judgment holds a credential (github). Nothing was stored. Remove it from the file, or write a placeholder such as <password>, and import it again.',
    )
    const { body } = await runJson<Report>(caller(), 'import', path)
    expect(body.refused).toEqual([expect.objectContaining({ line: 2, code: 'secret_detected' })])
    expect(JSON.stringify([told, body])).not.toContain(secret)
  })

  it('the report lists decisions that were accepted but not applied', async () => {
    const path = file(
      'circle.jsonl',
      lines([
        { external_id: 'circle/a', title: 'Circle a', judgment: 'A.', supersedes: ['circle/a'] },
        { external_id: 'circle/b', title: 'Circle b', judgment: 'B.' },
      ]),
    )
    const { code, body } = await runJson<Report>(caller(), 'import', path)
    expect(code).toBe(1)
    expect(body).toMatchObject({ imported: 1 })
    expect(body.refused).toEqual([expect.objectContaining({ line: 1, code: 'would_cycle' })])
  })

  it('an import continues after SIGKILL with the same run, and records nothing twice', async () => {
    const rows = Array.from({ length: 3000 }, (_, at) =>
      at < 2500
        ? { external_id: `killed/${at}`, title: `Killed ${at}`, judgment: `We do ${at}.` }
        : { kind: 'memory', memory_kind: 'session_outcome', title: `Killed ${at}`, content: 'The same in every one.' },
    )
    const path = file('killed.jsonl', lines(rows))
    const mine = caller()
    const first = start(mine, 'import', path)
    while ((await changesOf('Killed')).length < 500) await sleep(20)
    first.kill('SIGKILL')
    await first.ended
    const second = await runJson<Report>(mine, 'import', path)
    expect(second).toMatchObject({ code: 0, body: { resumed: true, decisions: 2500, memories: 500, applied: 3000 } })
    expect(await changesOf('Killed')).toHaveLength(3000)
    expect(readdirSync(join(mine.state, 'precedent', 'imports'))).toEqual([])
  })

  it('Ctrl-C stops the import cleanly and prints how to continue; the same command continues it', async () => {
    const rows = Array.from({ length: 2500 }, (_, at) => ({ title: `Stopped ${at}`, judgment: `We do ${at}.` }))
    const path = file('stopped.jsonl', lines(rows))
    const mine = caller()
    const first = start(mine, 'import', path)
    while ((await changesOf('Stopped')).length === 0) await sleep(20)
    first.kill('SIGINT')
    const { code, stderr } = await first.ended
    expect(code).toBe(130)
    expect(stderr).toContain('Run the same command again')
    const second = await run(mine, 'import', path)
    expect(second.code).toBe(0)
    expect(second.stderr).toContain('Continuing the import that began at')
    expect(await changesOf('Stopped')).toHaveLength(2500)
  })

  it('the import succeeds when the service is busy, connections are closed and answers are lost', async () => {
    const faults: Fault[] = ['none', '503', 'lost answer', '429', 'none', 'cut', 'none', 'lost answer']
    const proxy = await startFaultyProxy(service.url, (request, number) =>
      request.startsWith('GET /v1/receipts?limit') ? 'none' : (faults[number] ?? 'none'),
    )
    const rows = Array.from({ length: 2100 }, (_, at) => ({ title: `Spoiled ${at}`, judgment: `We do ${at}.` }))
    const { code, body } = await runJson<Report>(caller(proxy.url), 'import', file('spoiled.jsonl', lines(rows)))
    await proxy.close()
    expect(code).toBe(0)
    expect(body).toMatchObject({ imported: 2100, unchanged: 0 })
    expect(await changesOf('Spoiled')).toHaveLength(2100)
  })

  it('with --no-wait the import ends once all is accepted, and receipts watch waits for the rest', async () => {
    const rows = Array.from({ length: 50 }, (_, at) => ({ title: `Left ${at}`, judgment: `We do ${at}.` }))
    const mine = caller()
    const { code, body } = await runJson<Report>(mine, 'import', file('left.jsonl', lines(rows)), '--no-wait')
    expect(code).toBe(0)
    const [batch = ''] = body.batch_ids
    const watched = await runJson(mine, 'receipts', 'watch', '--batch', batch)
    expect(watched).toMatchObject({ code: 0, body: { counts: { applied: 50 }, refused: [] } })
    expect(await changesOf('Left')).toHaveLength(50)
  })

  it('with --no-wait the report lists writes that were rejected at once, and does not count them as accepted', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
    const rows = [
      { title: 'Clean', judgment: 'Yes.' },
      { title: 'Leaking', judgment: `Use ${secret}.` },
      { kind: 'fact', content: 'The lamp is green.' },
      { kind: 'fact', content: `The token is ${secret}.` },
    ]
    const path = file('rejected.jsonl', lines(rows))
    const { code, body } = await runJson<Report>(caller(), 'import', path, '--no-wait')
    expect(code).toBe(1)
    expect(body.accepted).toBe(2)
    const rejected = (line: number) => ({ file: 'rejected.jsonl', line, code: 'secret_detected' })
    expect(body.refused).toEqual([expect.objectContaining(rejected(2)), expect.objectContaining(rejected(4))])
    const { stdout } = await run(caller(), 'import', path, '--no-wait')
    expect(stdout).toContain('rejected.jsonl:4  secret_detected: ')
    expect(stdout).toMatch(/Accepted +2 .*\n +Refused +2 /)
  })

  it('an import that waits lists a write that was rejected at once only once', async () => {
    const rows = [{ kind: 'fact', content: `The token is ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}.` }]
    const decisions = [{ title: 'Leaking again', judgment: `Use ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}.` }]
    const { body } = await runJson<Report>(caller(), 'import', file('once.jsonl', lines([...rows, ...decisions])))
    expect(body).toMatchObject({ accepted: 0, applied: 0 })
    expect(body.refused.map(({ line }) => line)).toEqual([1, 2])
  })

  it('a key that may only write can import, and a key that may only read is refused', async () => {
    const body = { name: 'writer', scopes: ['context:write'] }
    const { body: made } = await call<{ key: string }>(service, 'POST', '/admin/keys', body)
    const writer = { ...caller(), key: made.key }
    const path = file('written.jsonl', lines([{ title: 'Written blind', judgment: 'Yes.' }]))
    expect(await runJson<Report>(writer, 'import', path)).toMatchObject({ code: 0, body: { applied: 1 } })
    const reader = {
      ...caller(),
      key: (await call<{ key: string }>(service, 'POST', '/admin/keys', { name: 'r', scopes: ['context:read'] })).body
        .key,
    }
    const refused = await run(reader, 'import', path)
    expect(refused.code).toBe(4)
    expect(refused.stderr).toContain('context:write')
  })

  it.each([
    [['import'], 2],
    [['import', '/nowhere/at/all'], 2],
    [['import', '/etc/hostname'], 2],
    [['import', '.', '--nonsense'], 2],
    [['--url', 'ftp://x', 'import', import.meta.dirname], 2],
    [['--url', 'http://127.0.0.1:9', 'import', import.meta.dirname], 3],
  ])('%j ends with exit code %i and one error with one remedy', async (args, code) => {
    const ran = await run(caller(), ...args)
    expect(ran.code, ran.stderr).toBe(code)
    expect(ran.stdout).toBe('')
    expect(ran.stderr).toMatch(/^precedent: .+\n( {2}.+\n)?$/)
    const { body } = await runJson<{ error: { exit: number; message: string } }>(caller(), ...args)
    expect(body.error).toMatchObject({ exit: code })
  })
})
