/** Messages of MCP as an attacker sends them: by hand, without the SDK. */
import { scopesOfAgents } from '../../src/http/routes/mcp-paths.ts'
import { type Answer, type Body, type Serving, send } from '../http/serving.ts'
import type { Caller } from '../support/http.ts'

export const path = '/api/v2/mcp'
export const accept = 'application/json, text/event-stream'

/** `body`: sent as JSON, or as it is if it is text or bytes. */
export function post(caller: { url: string; key?: string }, body: unknown, headers = {}, query = ''): Promise<Answer> {
  const { url, key } = caller
  return send(url, 'POST', path + query, { ...(key ? { key } : {}), body, headers: { accept, ...headers } })
}

export function frame(method: string, params?: object, id: string | number = 1): object {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }
}

export function call(name: string, args: object = {}): object {
  return frame('tools/call', { name, arguments: args })
}

/** All scopes that tools need. */
export async function agent(serving: Serving, user: string): Promise<{ url: string; key: string }> {
  return { url: serving.url, key: await serving.key([...scopesOfAgents], { user }) }
}

const meta = 'io.modelcontextprotocol/'

/** A message of the version 2026-07-28 with its headers. */
export function modern(method: string, params: object = {}, version = '2026-07-28') {
  const _meta = {
    [`${meta}protocolVersion`]: version,
    [`${meta}clientInfo`]: { name: 'x', version: '1' },
    [`${meta}clientCapabilities`]: {},
  }
  const { name } = params as { name?: string }
  const headers = { 'mcp-protocol-version': version, 'mcp-method': method, ...(name ? { 'mcp-name': name } : {}) }
  return { body: frame(method, { ...params, _meta }), headers }
}

/** The result of a tool. */
export async function result(caller: Caller, name: string, args: object, query = ''): Promise<Body> {
  const { status, body } = await post(caller, call(name, args), {}, query)
  if (status !== 200 || body.result === undefined) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.result
}

/** Without the id of the request, which differs in every answer. */
export function alike(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/"instance":"urn:uuid:[0-9a-f-]{36}"/g, '"instance":""'))
}
