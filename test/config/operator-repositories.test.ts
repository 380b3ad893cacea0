import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { load } from '../../config/load.ts'
import { firstWorkspace } from '../../src/access/workspaces.ts'
import { repository } from '../support/repository.ts'
import { flawsIn, settingsIn, written } from './operator.ts'

const team = '2f6c0000-0000-7000-8000-000000000000'
const token = 'tok3n-of-the-shop'
const secret = 'a-secret-of-24-characters'
const variables = { SHOP_TOKEN: token, SHOP_SECRET: secret, SPACED: 'a b', BROKEN: 'a\nHost: x', SHORT: 'short' }
const connect = (fields: string) => `repositories:\n  connect:\n    - ${fields}\n`
const shop = 'name: acme/shop, url: https://git.example.com/acme/shop.git'

describe('repositories in the operator’s file', () => {
  it('are the example of docs/repositories.md', () => {
    const docs = readFileSync(join(repository, 'docs/repositories.md'), 'utf8')
    const example = /^```yaml\n(repositories:.*?)^```/ms.exec(docs)?.[1] ?? ''
    expect(settingsIn(example, variables).repositories).toEqual({
      pollMs: 60_000,
      connected: [
        {
          id: expect.stringMatching(new RegExp(`^${firstWorkspace}/acme/shop@[\\da-f]{16}$`)),
          name: 'acme/shop',
          workspace: firstWorkspace,
          audience: 'workspace',
          url: 'https://git.example.com/acme/shop.git',
          token,
          include: [],
          exclude: [],
          hookSecret: secret,
        },
        {
          id: expect.stringContaining('/acme/infra@'),
          name: 'acme/infra',
          workspace: firstWorkspace,
          audience: 'team:2f6c1d1e-7a55-7cc0-8f00-6f1d2c3b4a59',
          url: '/srv/git/infra',
          branch: 'main',
          include: ['src', '**/*.tf'],
          exclude: ['vendor'],
        },
      ],
    })
  })

  it('are undefined if none is connected', () => {
    expect(settingsIn('').repositories).toBeUndefined()
    expect(settingsIn('repositories: {}').repositories).toBeUndefined()
    expect(settingsIn('repositories: { poll: 5m, connect: [] }').repositories).toBeUndefined()
  })

  it('have an id that changes with workspace, name and url', () => {
    const idOf = (fields: string) => settingsIn(connect(`{ ${fields} }`), variables).repositories?.connected[0]?.id
    const ids = [shop, `${shop}, workspace: ${team}`, shop.replace('/shop,', '/shop2,'), shop.replace('.git', '')]
    expect(new Set(ids.map(idOf)).size).toBe(4)
    expect(idOf(`${shop}, token_env: SHOP_TOKEN`)).toBe(idOf(shop))
  })

  it('accept https, ssh and absolute paths', () => {
    for (const url of [
      'https://h/x',
      'https://h:8443/x.git',
      'ssh://git@h/x',
      'ssh://h:22/~x/y',
      '/srv/git/a b:c',
      '"/"',
    ]) {
      expect(flawsIn(connect(`{ name: a/b, url: "${url.replaceAll('"', '')}" }`)), url).toEqual([])
    }
  })

  it('need only the secrets that the process uses, and redact them', () => {
    const path = written(connect(`{ ${shop}, token_env: SHOP_TOKEN, secret_env: SHOP_SECRET }`))
    const shared = { MONGODB_URL: 'mongodb://db/x', ELASTICSEARCH_URL: 'http://search:9200', PRECEDENT_CONFIG: path }
    const of = (kind: 'all' | 'web' | 'maintain', set: Record<string, string>) => load({ ...shared, ...set }, kind)
    expect(of('maintain', {}).operator.repositories?.connected[0]).not.toHaveProperty('token')
    const web = of('web', { SHOP_SECRET: secret })
    expect(web.operator.repositories?.connected[0]).toMatchObject({ hookSecret: secret })
    expect(web.operator.repositories?.connected[0]).not.toHaveProperty('token')
    expect(web.operator.executors).toEqual([])
    expect(() => of('web', {})).toThrow(
      /:3:\d+ repositories\.connect\[0\]\.secret_env names SHOP_SECRET, which is not set/,
    )
    expect(() => of('all', { SHOP_SECRET: secret })).toThrow(/token_env names SHOP_TOKEN, which is not set/)
    const all = of('all', { SHOP_SECRET: secret, SHOP_TOKEN: `me:${token}` })
    expect(all.secrets).toEqual(expect.arrayContaining([secret, token, `me:${token}`]))
  })
})

describe('errors in repositories name line, column and remedy', () => {
  it.each([
    ['name: shop, url: /x', '3:15 repositories.connect[0].name must be owner/name of letters'],
    ['name: -a/b, url: /x', '.name must be owner/name'],
    ['name: a/.., url: /x', '.name must be owner/name'],
    ['name: a/b/c, url: /x', '.name must be owner/name'],
    [`name: a/${'b'.repeat(299)}, url: /x`, '.name must be owner/name'],
    ['name: a/b', '.url is required: https://…, ssh://… or an absolute path'],
    ['name: a/b, url: srv/x', '3:25 repositories.connect[0].url must be https://…, ssh://… or an absolute path'],
    ['name: a/b, url: "-uX"', '.url must be https://…, ssh://… or an absolute path, such as'],
    ['name: a/b, url: "--upload-pack=x"', 'git would take it for an option.'],
    ['name: a/b, url: "ext::sh -c x"', 'helpers such as ext:: are not allowed.'],
    ['name: a/b, url: "http://h/x"', '.url must begin with https://: without TLS'],
    ['name: a/b, url: "git@h:x.git"', '.url must be written as ssh://user@host/path'],
    ['name: a/b, url: "git://h/x"', '.url must be https://…'],
    ['name: a/b, url: "file:///x"', '.url must be https://…'],
    ['name: a/b, url: "https://u:p4ss@h/x"', 'put the token into an environment variable, and name it in token_env.'],
    ['name: a/b, url: "https://tok@h/x"', 'name it in token_env.'],
    ['name: a/b, url: "ssh://u:p4ss@h/x"', 'name it in token_env.'],
    ['name: a/b, url: "https://h/x?token=1"', '.url must have no query and no fragment'],
    ['name: a/b, url: "ssh://-oProxyCommand=x/y"', '.url must'],
    ['name: a/b, url: "/x\\ny"', '.url must have no line breaks'],
    [`${shop}, token_env: MISSING`, '.token_env names MISSING, which is not set: set it to the token.'],
    [`${shop}, token_env: SPACED`, '.token_env names SPACED, which must be a token without spaces'],
    [`${shop}, token_env: BROKEN`, '.token_env names BROKEN, which must be a token without spaces'],
    [`${shop}, token_env: A-B`, '.token_env must be the name of an environment variable'],
    ['name: a/b, url: /x, token_env: SHOP_TOKEN', '.token_env is only for https'],
    [`${shop}, secret_env: SHORT`, '.secret_env names SHORT, which must be 16 to 1000 random characters'],
    [`${shop}, branch: -x`, '.branch must be the name of a branch'],
    [`${shop}, branch: "a..b"`, '.branch must be the name of a branch'],
    [`${shop}, branch: refs/heads/main`, '.branch must be the name alone'],
    [`${shop}, audience: everyone`, '.audience must be workspace, team: and the id of a team'],
    [`${shop}, audience: "team:x"`, '.audience must be workspace, team:'],
    [`${shop}, workspace: x`, '.workspace must be the id of a workspace.'],
    [`${shop}, include: [/src]`, '.include[0] must be a path or pattern'],
    [`${shop}, exclude: [a/../..]`, '.exclude[0] must stay inside the repository'],
    [`${shop}, exclude: []`, '.exclude must be a list of paths and patterns'],
    [`${shop}, tokn_env: X`, 'did you mean token_env?'],
  ])('%s', (fields, sentence) => {
    const found = flawsIn(connect(`{ ${fields} }`), variables)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(sentence)
    expect(found[0]).toMatch(/^3:\d+ .*[.?]$/)
    expect(found[0]).not.toContain('p4ss')
  })

  it('refuses two of the same name in one workspace, in whatever case', () => {
    const two = `repositories:\n  connect:\n    - { name: a/b, url: /x }\n    - { name: A/B, url: /y }\n`
    expect(flawsIn(two)).toEqual([
      '4:15 repositories.connect[1].name is the name of an earlier repository too: choose another.',
    ])
    expect(flawsIn(two.replace('url: /y', `url: /y, workspace: ${team}`))).toEqual([])
  })

  it('names the field that was meant, and a wrong poll', () => {
    expect(flawsIn('repositories: { pol: 1s }')).toEqual([expect.stringContaining('did you mean poll?')])
    expect(flawsIn('repositories: { poll: 0s }')).toEqual([expect.stringContaining('must be a time from 1s to 24h')])
  })
})
