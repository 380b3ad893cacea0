/** Calls tools through `precedent mcp`: with frames of the test, or with the client of the official SDK. */
import { join } from 'node:path'
import { type CallToolResult, Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { cleanUp } from '../../support/clean-up.ts'
import { repository } from '../../support/repository.ts'
import type { McpProcess } from './client.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of any shape
type Structured = any

/** The structured content of a result. Throws an error of the protocol or of the tool. */
export async function callTool(mcp: McpProcess, name: string, args: object): Promise<Structured> {
  const { result, error } = await mcp.ask('tools/call', { name, arguments: args })
  if (error !== undefined || result?.isError) throw new Error(JSON.stringify(error ?? result?.content))
  return result?.structuredContent
}

/** Remembers a fact, and waits until it is applied. */
export async function remember(mcp: McpProcess, content: string): Promise<void> {
  const state = await accepted(mcp, content)
  if (state !== 'applied') throw new Error(`${content}: ${state}`)
}

/** Remembers a fact. Returns its state: a service that stops does not wait until it is applied. */
export async function accepted(mcp: McpProcess, content: string): Promise<string> {
  const { state } = await callTool(mcp, 'remember', { kind: 'fact', content })
  return state
}

/** The titles of all records, from the first change on. */
export async function titles(mcp: McpProcess): Promise<string[]> {
  const all: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await callTool(mcp, 'get_changes', { limit: 200, ...(cursor === undefined ? {} : { cursor }) })
    all.push(...page.changes.knowledge.map(({ title }: { title: string }) => title))
    cursor = page.cursor
    if (!page.has_more) return all
  }
}

export type Mode = 'legacy' | 'auto' | { pin: string }

/** A client of the SDK, which starts `precedent mcp` itself. */
export async function sdkClient(env: Record<string, string>, mode: Mode): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const args = [join(repository, 'dist/src/cli/precedent.js'), 'mcp']
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }))
  cleanUp(() => client.close())
  return client
}

export async function sdkTool(client: Client, name: string, args: Record<string, unknown>): Promise<Structured> {
  const { isError, structuredContent, content } = (await client.callTool({ name, arguments: args })) as CallToolResult
  if (isError) throw new Error(JSON.stringify(content))
  return structuredContent
}
