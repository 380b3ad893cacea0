/**
 * Answers one message of MCP. It keeps nothing between messages, so any web process can answer any of them. The SDK
 * speaks the protocol: the version 2026-07-28, in which each message stands for itself, and those of 2025.
 */
import {
  type AuthInfo,
  createMcpHandler,
  INVALID_PARAMS,
  isLegacyRequest,
  METHOD_NOT_FOUND,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Scope } from '../access/actor.ts'
import { invalid, type Problem } from '../problem.ts'
import { nearest } from '../validation/nearest.ts'
import { version } from '../version.ts'
import { inputSchema, outputSchema } from './base/json-schema.ts'
import { wrongParams } from './base/params.ts'
import type { Caller, Tool, ToolList } from './base/tool.ts'
import { failedResult } from './failure.ts'
import { instructions } from './instructions.ts'
import { getPrompt, prompts } from './prompts.ts'
import { readResource, resources, scopeOfResource, templatesFor } from './resources.ts'
import { tools } from './tools.ts'

/** One message with all that its answer needs. */
export interface Message {
  /** The whole address. */
  url: string
  /** Of the request: those that begin with `mcp-`, `accept` and `content-type`. */
  headers: Record<string, string>
  /** The parsed body: one object. */
  body: Record<string, unknown>
  list: ToolList
  caller: Caller
  /** Renders an error for the caller. Called for errors of tools, whose answer is a result. */
  failed(error: unknown): Parameters<typeof failedResult>[0]
}

/** `body`: JSON, or empty for a message that needs no answer. */
export interface Answer {
  status: number
  body: string
}

/** The scope of what only callers with read access see. */
const readScope: Scope = 'context:read'

/** The scope that a message needs. undefined: none, or it names nothing that exists. */
export function scopeNeeded({ method, params }: Record<string, unknown>, list: ToolList): Scope | undefined {
  if (method === 'resources/read') return scopeOfResource((params as { uri?: unknown } | undefined)?.uri)
  if (method === 'prompts/get') return readScope
  if (method !== 'tools/call') return undefined
  return toolNamed((params as { name?: unknown } | undefined)?.name, list)?.scope
}

/** The tool that a message calls, for logs and metrics. `unknown`: there is none with this name. undefined: it calls none. */
export function toolCalled({ method, params }: Record<string, unknown>, list: ToolList): string | undefined {
  if (method !== 'tools/call') return undefined
  return toolNamed((params as { name?: unknown } | undefined)?.name, list)?.name ?? 'unknown'
}

export async function answerMessage(message: Message): Promise<Answer> {
  const { url, headers, body } = message
  // the SDK would open a stream on which nothing is ever sent
  if (body.method === 'subscriptions/listen') {
    return refused(body, METHOD_NOT_FOUND, 'There are no subscriptions. get_changes tells what has changed.')
  }
  const wrong = isRequest(body) ? await wrongParams(body) : undefined
  if (wrong !== undefined) return refused(body, INVALID_PARAMS, wrong)
  const request = new Request(url, { method: 'POST', headers })
  const authInfo = { token: '', clientId: '', scopes: [], extra: { message } } satisfies AuthInfo
  const response =
    isOfNewest(body) || !(await isLegacyRequest(request, body))
      ? await current.fetch(request, { authInfo, parsedBody: body })
      : await answerOf2025(request, message)
  return { status: response.status, body: await response.text() }
}

/** Says by itself that it is of the newest version. Asking the SDK would parse the message twice. */
function isOfNewest({ params }: Record<string, unknown>): boolean {
  const { _meta } = (params ?? {}) as { _meta?: Record<string, unknown> | null }
  return _meta?.[PROTOCOL_VERSION_META_KEY] === newestVersion
}

const current = createMcpHandler(({ authInfo }) => serverFor(authInfo?.extra?.message as Message), { legacy: 'reject' })

/** As the SDK does it, but with one JSON object as the answer instead of a stream with one event. */
async function answerOf2025(request: Request, message: Message): Promise<Response> {
  const server = serverFor(message)
  // without a session id the transport is for this request alone
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: message.body })
  } finally {
    await server.close()
  }
}

/** 2024-11-05 and 2024-10-07, which the SDK also speaks, have another transport. */
const newestVersion = '2026-07-28'
const supportedProtocolVersions = [newestVersion, '2025-11-25', '2025-06-18', '2025-03-26']

const about = { name: 'precedent', title: 'Precedent', version: version() }
const options = {
  capabilities: { tools: {}, resources: {}, prompts: {} },
  instructions,
  supportedProtocolVersions,
  // only answers to questions of the server need one, and it asks none
  jsonSchemaValidator: {
    getValidator: () => () => ({ valid: true as const, data: undefined as never, errorMessage: undefined }),
  },
}

/** It has the one handler that the message needs: making all of them would cost more than most calls. */
function serverFor(message: Message): Server {
  const { caller, list, body } = message
  const mayRead = caller.scopes.includes(readScope)
  const server = new Server(about, options)
  switch (body.method) {
    case 'tools/call':
      server.setRequestHandler(body.method, ({ params }) => callTool(params.name, params.arguments ?? {}, message))
      break
    case 'tools/list':
      server.setRequestHandler(body.method, () => ({
        tools: listed.filter(({ tool }) => isOffered(tool, list, caller)).map(({ shown }) => shown),
      }))
      break
    case 'resources/list':
      server.setRequestHandler(body.method, () => ({ resources: mayRead ? resources : [] }))
      break
    case 'resources/templates/list':
      server.setRequestHandler(body.method, () => ({ resourceTemplates: templatesFor(caller) }))
      break
    case 'resources/read':
      server.setRequestHandler(body.method, async ({ params: { uri } }) => {
        const content = await refusing(message, () => readResource(uri, caller))
        if (content === undefined) throw new ResourceNotFoundError(uri)
        return { contents: [content] }
      })
      break
    case 'prompts/list':
      server.setRequestHandler(body.method, () => ({ prompts: mayRead ? prompts : [] }))
      break
    case 'prompts/get':
      server.setRequestHandler(body.method, ({ params }) =>
        refusing(message, () => getPrompt(params.name, params.arguments ?? {}, caller)),
      )
  }
  server.fallbackRequestHandler = ({ method }) => {
    throw new ProtocolError(METHOD_NOT_FOUND, `There is no method ${JSON.stringify(method.slice(0, longestName))}.`)
  }
  return server
}

/** Turns every error into one of the protocol. The SDK would show the message of any other error to the caller. */
async function refusing<T>(message: Message, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const refusal = message.failed(error)
    const code = refusal.status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError
    throw new ProtocolError(code, `${refusal.code}: ${refusal.detail}`, refusal)
  }
}

async function callTool(name: string, args: unknown, message: Message) {
  try {
    const tool = toolNamed(name, message.list)
    if (tool === undefined) throw unknownTool(name, message)
    const { text, structured } = await tool.call(args, message.caller)
    return { content: [{ type: 'text' as const, text }], structuredContent: structured as Record<string, unknown> }
  } catch (error) {
    return failedResult(message.failed(error))
  }
}

function unknownTool(name: string, { list, caller }: Message): Problem {
  const offered = tools.filter((tool) => isOffered(tool, list, caller)).map((tool) => tool.name)
  const near = nearest(name, offered)
  const remedy = near === undefined ? 'tools/list lists those that you may call' : `did you mean ${near}?`
  return invalid('name', `there is no tool ${JSON.stringify(name.slice(0, longestName))}: ${remedy}`)
}

/** Characters of an unknown name in its error. */
const longestName = 100

function isOffered({ lists, scope }: Tool, list: ToolList, { scopes }: Caller): boolean {
  return lists.includes(list) && scopes.includes(scope)
}

const byName = new Map(tools.map((tool) => [tool.name, tool]))

function toolNamed(name: unknown, list: ToolList): Tool | undefined {
  const tool = typeof name === 'string' ? byName.get(name) : undefined
  return tool?.lists.includes(list) ? tool : undefined
}

/** Made once: the schemas never change. */
const listed = tools.map((tool) => ({ tool, shown: shownIn(tool) }))

function shownIn({ name, title, description, input, output, hints, ...tool }: Tool) {
  const { repeatsFor, showsRevision, describedBy } = tool
  const keyLeftOut =
    repeatsFor === undefined ? '' : `Left out: so are calls with the same input within ${repeatsFor / 60_000} minutes.`
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(input, {
      keyLeftOut,
      ...(showsRevision ? { showsRevision } : {}),
      ...(describedBy ? { describedBy } : {}),
    }),
    outputSchema: outputSchema(output),
    annotations: { title, ...hints },
  }
}

function isRequest({ jsonrpc, id }: Record<string, unknown>): boolean {
  return jsonrpc === '2.0' && (typeof id === 'string' || Number.isSafeInteger(id))
}

function refused({ id = null }: Record<string, unknown>, code: number, message: string): Answer {
  return { status: 200, body: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }) }
}
