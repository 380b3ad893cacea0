import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { gitMirrors } from '../../../src/adapters/git/mirrors.ts'
import { temporaryFolder } from '../../support/clean-up.ts'
import { type GitServer, startGitServer } from './https.ts'
import { machine, never, newRepository, type Repository, treeOf } from './repositories.ts'

const id = 'w/acme/shop@1'
const token = 'tok3n-that-nobody-may-see'
const sent = Buffer.from(`x-access-token:${token}`).toString('base64')

let repository: Repository
let server: GitServer
let url: string
beforeAll(async () => {
  repository = newRepository()
  repository.commit({ a: '1' })
  server = await startGitServer(dirname(repository.path))
  url = `${server.url}/${basename(repository.path)}/.git`
})

function newMirrors() {
  const root = join(temporaryFolder(), 'mirrors')
  return { root, mirrors: gitMirrors({ root, machine: { ...machine, GIT_SSL_CAINFO: server.certificate } }) }
}

/** Answers once in this way, then as git does. */
function answerWith(answer: GitServer['answer']): void {
  server.requests.length = 0
  server.answer = answer
}

describe('a repository over https', () => {
  it('is fetched with the token, which arrives with every request and is nowhere else', async () => {
    answerWith(() => false)
    const { root, mirrors } = newMirrors()
    const seen: string[] = []
    server.answer = () => {
      // while the request is under way
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
        try {
          seen.push(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
        } catch {
          // it has ended
        }
      }
      return false
    }
    const head = await mirrors.fetch({ id, url, token }, never)
    expect(await treeOf(mirrors, id, head?.commit ?? '')).toEqual({ a: '1' })
    expect(server.requests.length).toBeGreaterThan(1)
    expect(new Set(server.requests.map(({ authorization }) => authorization))).toEqual(new Set([`Basic ${sent}`]))
    expect(seen.some((line) => line.includes('ls-remote'))).toBe(true)
    for (const secret of [token, sent]) {
      expect(seen.join('\n').includes(secret)).toBe(false)
      expect(server.requests.some(({ path }) => path.includes(secret))).toBe(false)
      for (const file of readdirSync(root, { recursive: true, withFileTypes: true })) {
        if (file.isFile())
          expect(readFileSync(join(file.parentPath, file.name)).includes(secret), file.name).toBe(false)
      }
    }
  })

  it('gets the user of the token, if it names one, and no header without a token', async () => {
    answerWith(() => false)
    await newMirrors().mirrors.fetch({ id, url, token: `deploy:${token}` }, never)
    expect(server.requests[0]?.authorization).toBe(`Basic ${Buffer.from(`deploy:${token}`).toString('base64')}`)
    answerWith(() => false)
    await newMirrors().mirrors.fetch({ id, url }, never)
    expect(server.requests.every(({ authorization }) => authorization === undefined)).toBe(true)
  })

  it('is not followed to another address', async () => {
    const other = await startGitServer(dirname(repository.path))
    answerWith((request, response) => {
      response.writeHead(302, { location: `${other.url}${request.url}` }).end()
      return true
    })
    await expect(newMirrors().mirrors.fetch({ id, url, token }, never)).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('redirects'),
    })
    expect(other.requests).toEqual([])
  })

  it.each([
    [401, 'unauthorised'],
    [403, 'unauthorised'],
    [404, 'not_found'],
    [500, 'unreachable'],
    [503, 'unreachable'],
  ])('tells what the status %i means, and repeats nothing that the remote says', async (status, reason) => {
    answerWith((_, response) => {
      response.writeHead(status, { 'content-type': 'text/plain', 'www-authenticate': 'Basic realm="x"' })
      response.end(`you sent ${token} and ${sent}`)
      return true
    })
    const error: Error = await newMirrors()
      .mirrors.fetch({ id, url, token }, never)
      .then(
        () => new Error('it was fetched'),
        (error_) => error_,
      )
    expect(error).toMatchObject({ name: 'MirrorError', reason })
    for (const secret of [token, sent, 'you sent']) {
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)} ${error.cause}`).not.toContain(secret)
    }
  })

  it('is refused if nobody vouches for its certificate', async () => {
    answerWith(() => false)
    const mirrors = gitMirrors({ root: temporaryFolder(), machine })
    await expect(mirrors.fetch({ id, url, token }, never)).rejects.toMatchObject({ reason: 'unreachable' })
    expect(server.requests).toEqual([])
  })

  it('ends with the abort or its time, and leaves no process behind', async () => {
    answerWith(() => true)
    const { mirrors } = newMirrors()
    const stopping = new AbortController()
    const fetching = mirrors.fetch({ id, url, token }, stopping.signal)
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    stopping.abort(new Error('the service stops'))
    await expect(fetching).rejects.toThrow('the service stops')
    const impatient = gitMirrors({
      root: temporaryFolder(),
      machine: { ...machine, GIT_SSL_CAINFO: server.certificate },
      limits: { askMs: 300 },
    })
    await expect(impatient.fetch({ id, url, token }, never)).rejects.toMatchObject({ reason: 'timeout' })
    const lines = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        try {
          return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')]
        } catch {
          // it has ended
          return []
        }
      })
    expect(lines.filter((line) => line.includes(server.url))).toEqual([])
  })

  it('tells that nobody listens there', async () => {
    const { mirrors } = newMirrors()
    await expect(mirrors.fetch({ id, url: 'https://127.0.0.1:1/x.git' }, never)).rejects.toMatchObject({
      reason: 'unreachable',
    })
  })
})
