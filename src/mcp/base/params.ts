/**
 * Checks the parameters of a message. The SDK would answer wrong ones of some methods with an internal error, and those of
 * the others with a list in JSON.
 */
import { type SpecTypeName, specTypeSchemas } from '@modelcontextprotocol/server'

const types: Readonly<Record<string, SpecTypeName>> = {
  initialize: 'InitializeRequest',
  'tools/list': 'ListToolsRequest',
  'tools/call': 'CallToolRequest',
  'resources/list': 'ListResourcesRequest',
  'resources/templates/list': 'ListResourceTemplatesRequest',
  'resources/read': 'ReadResourceRequest',
  'prompts/list': 'ListPromptsRequest',
  'prompts/get': 'GetPromptRequest',
}

/** Issues in one answer; enough to correct a message. */
const mostIssues = 5

/** What is wrong with the parameters, and where. undefined: nothing, or the SDK refuses the message as a whole. */
export async function wrongParams(body: Record<string, unknown>): Promise<string | undefined> {
  const { method, params = {} } = body
  if (typeof method !== 'string' || !Object.hasOwn(types, method)) return undefined
  if (!isObject(params) || isCall(method, params)) return undefined
  const schema = specTypeSchemas[types[method] as SpecTypeName]
  const { issues = [] } = await schema['~standard'].validate({ method, params })
  if (issues.length === 0) return undefined
  return issues.slice(0, mostIssues).map(lineOf).join('; ')
}

/** A usual call of a tool, which needs no closer look. */
function isCall(method: string, { name, arguments: args = {} }: Record<string, unknown>): boolean {
  return method === 'tools/call' && typeof name === 'string' && isObject(args)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function lineOf({ path = [], message }: { path?: readonly unknown[] | undefined; message: string }): string {
  const at = path.map((part) => String(part !== null && typeof part === 'object' && 'key' in part ? part.key : part))
  return `${at.join('.').slice(0, longestPath)}: ${message}`
}

/** Characters. The name of a field may have megabytes. */
const longestPath = 200
