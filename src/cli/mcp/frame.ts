/**
 * One JSON-RPC frame of an MCP client, and what the bridge must know of it: which answers are due, and the headers that
 * the HTTP transport wants from it. Everything else of a frame is the business of the service.
 */

export type RequestId = string | number

export interface Frame {
  /** As read. It is sent unchanged. */
  bytes: Buffer
  /** The requests in it, of which each needs an answer. A batch may hold several, a notification holds none. */
  ids: readonly RequestId[]
  isBatch: boolean
  /** undefined: a response, or a batch. */
  method: string | undefined
  /** For `notifications/cancelled`: the request that the client gave up. */
  cancels: RequestId | undefined
  /** Headers of protocol 2026-07-28, whose requests carry their version with them. Otherwise empty. */
  headers: Readonly<Record<string, string>>
}

/** A JSON-RPC error. */
export interface RpcError {
  code: number
  message: string
  data?: unknown
}

type Fields = Readonly<Record<string, unknown>>

const versionKey = 'io.modelcontextprotocol/protocolVersion'
/** The methods whose `Mcp-Name` header repeats a parameter, and the name of the parameter. */
const named: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

/** undefined: a blank line. An error: the line is no JSON-RPC frame. */
export function frameOf(bytes: Buffer): Frame | RpcError | undefined {
  let value: unknown
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (text.trim() === '') return undefined
    value = JSON.parse(text)
  } catch (error) {
    return { code: -32_700, message: `Parse error: the line is not JSON: ${(error as Error).message}` }
  }
  if (Array.isArray(value)) {
    const ids = value.map(idOf).filter((id) => id !== undefined)
    return { bytes, ids, isBatch: true, method: undefined, cancels: undefined, headers: {} }
  }
  if (!isObject(value)) {
    return { code: -32_600, message: 'Invalid request: the line is JSON, but neither an object nor a batch.' }
  }
  const method = typeof value.method === 'string' ? value.method : undefined
  const id = idOf(value)
  const parameters = isObject(value.params) ? value.params : {}
  const cancels = method === 'notifications/cancelled' ? asId(parameters.requestId) : undefined
  return {
    bytes,
    ids: id === undefined ? [] : [id],
    isBatch: false,
    method,
    cancels,
    headers: headersOf(method, value),
  }
}

/** undefined: a notification or a response. */
function idOf(message: unknown): RequestId | undefined {
  return isObject(message) && typeof message.method === 'string' ? asId(message.id) : undefined
}

function asId(value: unknown): RequestId | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

function headersOf(method: string | undefined, { params }: Fields): Record<string, string> {
  const meta = isObject(params) && isObject(params._meta) ? params._meta : {}
  const version = meta[versionKey]
  if (typeof version !== 'string' || method === undefined) return {}
  const parameter = Object.hasOwn(named, method) ? named[method] : undefined
  const name = parameter === undefined ? undefined : (params as Fields)[parameter]
  return {
    ...(isPlain(version) ? { 'mcp-protocol-version': version } : {}),
    // the service answers a frame without this header with an error that names it
    ...(isPlain(method) ? { 'mcp-method': method } : {}),
    ...(typeof name === 'string' ? { 'mcp-name': headerValue(name) } : {}),
  }
}

/** Printable ASCII without spaces at its ends. */
function isPlain(text: string): boolean {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
}

/** Other texts are sent in base64, in a form that marks them (Streamable HTTP of protocol 2026-07-28). */
function headerValue(text: string): string {
  const marked = text.startsWith('=?base64?') && text.endsWith('?=')
  return isPlain(text) && !marked ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

export function isObject(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
