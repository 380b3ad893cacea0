/** The server scenarios of the conformance suite of the protocol that need no tools of a test server. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mcpPath } from '../../src/http/routes/mcp-paths.ts'
import { type Serving, serve } from '../http/serving.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { repository } from '../support/repository.ts'
import { loader } from './conformance-loader.ts'

const suite = join(repository, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
/** ms of one scenario, on a busy machine. */
const longest = 60_000

interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED'
  errorMessage?: string
}

let serving: Serving
let proxy: Server
let port: number
beforeAll(async () => {
  proxy = createServer((incoming, answer) => {
    const authorization = `Bearer ${serving.adminKey}`
    const { method, url: path, headers } = incoming
    // Host and Origin as the suite sends them
    const options = { host: '127.0.0.1', port: serving.port, method, path, headers: { ...headers, authorization } }
    const passed = request(options, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    passed.on('error', (error) => answer.destroy(error))
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  port = (proxy.address() as AddressInfo).port
  // the service is known by the address of the proxy, so that the origin of the suite is its own
  serving = await serve({ env: { PRECEDENT_PUBLIC_URL: `http://127.0.0.1:${port}` } })
})
afterAll(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await serving.stop()
})

/** What one scenario has checked. */
function run(scenario: string): Promise<{ said: string; checks: Check[] }> {
  const folder = temporaryFolder('precedent-conformance-')
  const url = `http://localhost:${port}${mcpPath}`
  const args = ['--import', loader, suite, 'server', '--url', url, '--scenario', scenario, '--output-dir', folder]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: longest, cwd: folder }, (_, stdout, stderr) => {
      const checks = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('checks.json'))
        .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Check[])
      resolve({ said: `${stdout}${stderr}`, checks })
    })
  })
}

describe('the conformance suite', () => {
  it.each([
    ['server-initialize', 1],
    ['ping', 1],
    ['tools-list', 1],
    ['tools-call-error', 1],
    ['resources-list', 1],
    ['prompts-list', 1],
    ['dns-rebinding-protection', 2],
  ])('passes %s', { timeout: 2 * longest }, async (scenario, count) => {
    const { said, checks } = await run(scenario)
    expect(checks, said).toHaveLength(count)
    for (const { id, status, errorMessage } of checks) expect(status, `${id}: ${errorMessage}\n${said}`).toBe('SUCCESS')
  })

  it('fails a scenario of a capability that the server does not have', { timeout: 2 * longest }, async () => {
    const { checks } = await run('logging-set-level')
    expect(checks.map(({ status }) => status)).toEqual(['FAILURE'])
  })
})
