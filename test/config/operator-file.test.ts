import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readOperatorFile } from '../../config/operator-file.ts'
import { repository } from '../support/repository.ts'
import { flawsIn, settingsIn, signingSecret, written } from './operator.ts'

describe('the operator’s file', () => {
  it('may be empty: then there are no executors and no policy', () => {
    for (const empty of ['', '# nothing yet\n', '{}']) {
      expect(settingsIn(empty)).toMatchObject({ executors: [], policy: undefined, httpHosts: [] })
    }
  })

  it('is the example of docs/runs.md', () => {
    const docs = readFileSync(join(repository, 'docs/runs.md'), 'utf8')
    const example = /^```yaml\n(# yaml-language-server.*?)^```/ms.exec(docs)?.[1] ?? ''
    const { executors, policy } = settingsIn(example)
    expect(executors).toEqual([
      {
        name: 'coder',
        type: 'process',
        command: ['node', 'agents/coder.js'],
        directory: '/srv/agents',
        environment: { pass: ['PATH', 'HOME', 'MODEL_API_KEY'], set: { MODE: 'careful' } },
        timeLimitMs: 7_200_000,
        plans: true,
        repeatable: false,
        concurrency: 2,
        scopes: ['context:read', 'context:write', 'tasks:read'],
      },
      {
        name: 'remote',
        type: 'http',
        url: 'https://agents.example.com/run',
        secret: signingSecret,
        fenced: true,
        timeLimitMs: 3_600_000,
        plans: false,
        repeatable: true,
        concurrency: 1,
        scopes: ['context:read', 'context:write'],
      },
    ])
    expect(policy).toEqual({
      default: 'require_approval',
      rules: [
        {
          name: 'docs are free',
          when: { labels: ['docs', 'typo'], executor: ['coder'] },
          verdict: 'allow',
          self_approval: false,
        },
        {
          name: 'no urgent payments',
          when: { project: ['payments'], priority: ['urgent', 'high'] },
          verdict: 'deny',
          self_approval: false,
        },
      ],
    })
    // the error that the page shows
    const shown = /^precedent\.yaml:(.*)$/m.exec(docs)?.[1]
    expect(flawsIn(example.replace('2h', '2 hours'), { AGENT_SECRET: signingSecret })).toEqual([shown])
  })

  it('needs little of an executor', () => {
    expect(settingsIn('executors: { a: { type: process, command: [run] } }').executors).toEqual([
      {
        name: 'a',
        type: 'process',
        command: ['run'],
        directory: undefined,
        environment: { pass: [], set: {} },
        timeLimitMs: 3_600_000,
        plans: false,
        repeatable: false,
        concurrency: 1,
        scopes: ['context:read', 'context:write'],
      },
    ])
  })

  it('allows plain http for the hosts that it lists, with any port if none is named', () => {
    const file = (url: string) =>
      `http_hosts: ["agents:8080", "web:80", anywhere, "[::1]"]\nexecutors: { a: { type: http, url: "${url}", secret_env: AGENT_SECRET } }`
    for (const url of [
      'http://agents:8080/x',
      'http://anywhere/x',
      'http://anywhere:99/x',
      'http://[::1]:1/',
      'http://web/x',
    ]) {
      expect(settingsIn(file(url)).executors).toMatchObject([{ url }])
    }
    for (const url of ['http://agents/x', 'http://agents:8081/x', 'http://other/x', 'http://anywhere.evil/x']) {
      expect(flawsIn(file(url), { AGENT_SECRET: signingSecret })).toEqual([
        expect.stringMatching(/^2:.*executors\.a\.url must begin with https:.*http_hosts/),
      ])
    }
  })

  it('has the hash of what its policy says, whatever else is in it and however it is written', () => {
    const rule = '{ name: a, when: { labels: [x], project: [y] }, then: deny }'
    const one = settingsIn(`policy: { default: allow, rules: [${rule}] }`)
    const same = settingsIn(
      'executors: { a: { type: process, command: [run] } }\n# words\npolicy:\n  rules:\n' +
        '    - { then: deny, self_approval: false, when: { project: [y], labels: [x] }, name: a }\n  default: allow\n',
    )
    const other = settingsIn(`policy: { default: deny, rules: [${rule}] }`)
    expect(same.hash).toBe(one.hash)
    expect(new Set([one.hash, other.hash, settingsIn('').hash, settingsIn('policy: {}').hash]).size).toBe(4)
  })

  it('may repeat itself by anchors and aliases', () => {
    const { executors } = settingsIn(
      'executors:\n  a: { type: process, command: &run [node, x.js] }\n  b: { type: process, command: *run }\n',
    )
    expect(executors).toMatchObject([{ command: ['node', 'x.js'] }, { command: ['node', 'x.js'] }])
  })

  it('needs no secrets where no run is executed, and then gives no executors', () => {
    const path = written('executors: { a: { type: http, url: https://a.example.com, secret_env: AGENT_SECRET } }')
    expect(readOperatorFile(path, {}, [])).toMatchObject({ executors: [] })
    expect(readOperatorFile(path, {}, ['executors'])).toEqual([
      expect.stringMatching(/:1:\d+ executors\.a\.secret_env names AGENT_SECRET, which is not set: .*openssl/),
    ])
  })
})

const process = (fields: string) => `executors:\n  coder:\n    type: process\n    command: [node]\n    ${fields}\n`
const http = (fields: string) =>
  `executors:\n  far:\n    type: http\n    url: https://a.example.com\n    secret_env: AGENT_SECRET\n    ${fields}\n`
const rule = (fields: string) => `policy:\n  rules:\n    - ${fields}\n`

describe('errors in the operator’s file name line, column and remedy', () => {
  it.each([
    [
      process('time_limit: 90'),
      '5:17 executors.coder.time_limit must be a time from 1s to 24h, such as 30s, 5m or 2h.',
    ],
    [process('time_limit: 25h'), '5:17 executors.coder.time_limit must be a time from 1s to 24h'],
    [process('time_limit: 0s'), '5:17 executors.coder.time_limit must be a time from 1s to 24h'],
    [
      process('tme_limit: 2h'),
      '5:5 executors.coder.tme_limit is not a field that is known here: did you mean time_limit?',
    ],
    [process('secret_env: X'), '5:5 executors.coder.secret_env is not a field that is known here: use type, command'],
    [process('plans: yes'), '5:12 executors.coder.plans must be true or false.'],
    [process('plans:'), '5:11 executors.coder.plans must be true or false.'],
    [process('concurrency: 101'), '5:18 executors.coder.concurrency must be a whole number from 1 to 100.'],
    [process('concurrency: 1.5'), '5:18 executors.coder.concurrency must be a whole number from 1 to 100.'],
    [process('scopes: [admin]'), '5:14 executors.coder.scopes[0] must be one of context:read'],
    [process('scopes: [tasks:run]'), '5:14 executors.coder.scopes[0] must be one of context:read'],
    [process('directory: agents'), '5:16 executors.coder.directory must be `temporary` or an absolute path.'],
    [
      process('environment: { pass: [PRECEDENT_API_KEY] }'),
      '5:27 executors.coder.environment.pass[0] must not begin with',
    ],
    [
      process('environment: { set: { PRECEDENT_URL: x } }'),
      '5:27 executors.coder.environment.set.PRECEDENT_URL must not begin',
    ],
    [process('environment: { set: { A: 1 } }'), '5:30 executors.coder.environment.set.A must be a text: put numbers'],
    [process('environment: { set: { "A=B": x } }'), '5:27 executors.coder.environment.set."A=B" must be the name of'],
    [
      process('environment: { set: { A: "\\0" } }'),
      '5:30 executors.coder.environment.set.A must have no NUL character.',
    ],
    [
      process('environment: { pass: [A], set: { A: x } }'),
      '5:27 executors.coder.environment.pass[0] is also a name in `set`',
    ],
    [process('environment: { pass: [A, A] }'), '5:26 executors.coder.environment.pass must not have an item twice'],
    ['executors:\n  a:\n    type: process\n', '2:3 executors.a.command is required: a list of the program'],
    [
      'executors:\n  a:\n    type: process\n    command: node x.js\n',
      '4:14 executors.a.command must be a list of the program',
    ],
    ['executors:\n  a:\n    type: process\n    command: [""]\n', '4:14 executors.a.command must begin with a program.'],
    [
      'executors:\n  a:\n    type: process\n    command: [sleep, 5]\n',
      '4:22 executors.a.command[1] must be a text: put numbers',
    ],
    ['executors:\n  a:\n    type: shell\n', '3:11 executors.a.type must be process or http.'],
    ['executors:\n  a: {}\n', '2:3 executors.a.type must be process or http.'],
    [
      'executors:\n  My Agent: { type: process, command: [x] }\n',
      '2:3 executors."My Agent" must be a name of 1 to 64 lower-case',
    ],
    ['executors: [a]\n', '1:12 executors must be names of executors with their settings.'],
    [http('repeatable: true'), '6:17 executors.far.repeatable needs `fenced: true`'],
    [http('url: x'), '6:5 is a name that this map already has: leave one out.'],
    [
      'executors: { a: { type: http, url: "https://u:p@a.example.com", secret_env: A } }',
      '1:36 executors.a.url must be a URL',
    ],
    ['http_hosts: ["http://agents"]', '1:14 http_hosts[0] must be a host or host:port in lower case'],
    [rule('{ name: a, when: {}, then: allow }'), '3:24 policy.rules[0].when must have a condition: `default` decides'],
    [
      rule('{ name: a, when: { label: [x] }, then: allow }'),
      '3:26 policy.rules[0].when.label is not a field that is known here: did you mean labels?',
    ],
    [
      rule('{ name: a, when: { labels: x }, then: allow }'),
      '3:34 policy.rules[0].when.labels must be a list of labels.',
    ],
    [
      rule('{ name: a, when: { priority: [hihg] }, then: allow }'),
      '3:37 policy.rules[0].when.priority[0] must be one of urgent',
    ],
    [
      rule('{ name: a, when: { labels: [x] }, then: maybe }'),
      '3:47 policy.rules[0].then must be one of allow, require_approval, deny.',
    ],
    [rule('{ when: { labels: [x] }, then: deny }'), '3:7 policy.rules[0].name is required: a name.'],
    [
      rule('{ name: a, when: { labels: [x] }, then: deny }\n    - { name: a, when: { labels: [y] }, then: deny }'),
      '4:15 policy.rules[1].name is the name of an earlier rule too: choose another.',
    ],
    ['excutors: {}\n', '1:1 excutors is not a field that is known here: did you mean executors?'],
    ['- a\n', '1:1 it must be executors, http_hosts, policy and repositories.'],
    ['executors:\n\tcoder: {}\n', '2:1 is not valid YAML: Tabs are not allowed as indentation.'],
    ['a: 1: 2\n', 'is not valid YAML: Nested mappings are not allowed'],
    ['executors: {}\n---\npolicy: {}\n', 'is not valid YAML: Source contains multiple documents'],
  ])('%j', (content, sentence) => {
    const found = flawsIn(content, { AGENT_SECRET: signingSecret, A: signingSecret })
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(sentence)
    expect(found[0]).toMatch(/^\d+:\d+ .*[.?]$/)
  })

  it('lists all of them in the order of the file, also those between fields and those below a wrong name', () => {
    const found = flawsIn(
      'policy:\n  default: perhaps\n  rule: []\nexecutors:\n  Bad: { type: process }\n  far:\n    type: http\n' +
        '    url: http://a.example.com\n    secret_env: MISSING\n    repeatable: true\n    wrong: 1\n' +
        '  near: { type: http, url: http://b.example.com, secret_env: MISSING, repeatable: true }\n',
    )
    expect(found.map((one) => one.split(' ').slice(0, 2).join(' '))).toEqual([
      '2:12 policy.default',
      '3:3 policy.rule',
      '5:3 executors.Bad',
      '5:3 executors.Bad.command',
      '11:5 executors.far.wrong',
      '12:28 executors.near.url',
      '12:62 executors.near.secret_env',
      '12:83 executors.near.repeatable',
    ])
  })

  it('stops listing at 100, and says that there are more', () => {
    const found = flawsIn(Array.from({ length: 500 }, (_, at) => `wrong${at}: 1`).join('\n'))
    expect(found).toHaveLength(101)
    expect(found.at(-1)).toContain('further errors')
  })

  it('never shows a value, because it may be a secret', () => {
    const hidden = 'correct-horse-battery'
    for (const content of [
      process(`directory: ${hidden}`),
      process(`environment: { set: { A: "${hidden}\\q" } }`),
      process(`time_limit: ${hidden}`),
      process(`environment: { set: { A: ["${hidden}"] } }`),
      process(`environment: | ${hidden}`),
      process(`environment: !${hidden} x`),
      process(`environment: "x" ${hidden}`),
      `] ${hidden}`,
      `%${hidden} 1\n---\na: 1`,
      `%TAG ! tag:${hidden}\n---\na: !<${hidden} 1`,
      http(`url: https://u:${hidden}@a.example.com`),
      `http_hosts: ["${hidden}!"]`,
      rule(`{ name: ${hidden}, when: 1, then: ${hidden} }`),
    ]) {
      const found = flawsIn(content, { AGENT_SECRET: hidden })
      expect(found.length, content).toBeGreaterThan(0)
      expect(found.join(), content).not.toContain(hidden)
    }
  })
})
