/** A client of MCP over HTTP: that of the official SDK. */
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { cleanUp } from './clean-up.ts'
import type { Caller } from './http.ts'

/** The newest version of the protocol, in which each message stands for itself, or the newest of 2025. */
export type Era = '2026-07-28' | '2025-11-25'
export const eras: readonly Era[] = ['2026-07-28', '2025-11-25']

/** `query`: of the address, such as `?tools=core`. */
export async function connect({ url, key }: Caller, era: Era = '2026-07-28', query = ''): Promise<Client> {
  const mode = era === '2026-07-28' ? { pin: era } : 'legacy'
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/api/v2/mcp${query}`), { requestInit }))
  cleanUp(() => client.close())
  return client
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of any shape
type Structured = any

export interface Told {
  text: string
  isError: boolean
  structured: Structured
}

/** The result of a tool, which the SDK has compared with the output schema. */
export async function tool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Told> {
  const result = (await client.callTool({ name, arguments: args })) as CallToolResult
  const [first] = result.content
  const text = first?.type === 'text' ? first.text : ''
  return { text, isError: result.isError ?? false, structured: result.structuredContent }
}
