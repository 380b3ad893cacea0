/** `precedent mcp` on a data directory of the test. */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect } from 'vitest'
import { localPlaces } from '../../../config/local.ts'
import { temporaryFolder } from '../../support/clean-up.ts'
import { type McpProcess, startMcp } from './client.ts'

export const newDirectory = () => join(temporaryFolder('precedent-mcp-'), 'data')
export const on = (dataDir: string, more: Record<string, string> = {}) =>
  startMcp({ PRECEDENT_DATA_DIR: dataDir, ...more })
export const keyIn = (dataDir: string) => readFileSync(localPlaces(dataDir).key, 'utf8').trim()

export async function finish(...all: McpProcess[]): Promise<void> {
  for (const mcp of all) mcp.end()
  for (const mcp of all) {
    expect(await mcp.ended, mcp.stderr()).toBe(0)
    for (const line of mcp.lines()) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  }
}

/** A request over the socket. Returns the status. */
export function overSocket(dataDir: string, path: string, authorization: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ socketPath: localPlaces(dataDir).socket, path, headers: { authorization } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .once('error', reject)
      .end()
  })
}
