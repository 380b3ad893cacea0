/** Answers MCP over HTTP: one message a request, with the key, the limits and the log of every other call. */
import type { Context } from 'koa'
import { type Actor, requireScope, type Scope } from '../access/actor.ts'
import { type Caller, type ToolList, toolLists } from '../mcp/base/tool.ts'
import type { Message } from '../mcp/endpoint.ts'
import { invalid, Problem, problem } from '../problem.ts'
import { presentReceipt } from '../receipts/present.ts'
import { refuseSecret } from '../secrets/find.ts'
import type { Admission } from './admission/admission.ts'
import type { Api } from './base/api.ts'
import { writeBody } from './base/body-bounds.ts'
import { asProblem, problemBody } from './base/problem.ts'
import { toldOf } from './base/trace.ts'
import { readJson } from './body/body.ts'
import { keyInBody, newKey } from './body/idempotency.ts'
import { mcpPath, metadataPath, scopesOfAgents } from './routes/mcp-paths.ts'

/** ms that the tools that write wait until their write can be read. */
const longestWait = 10_000

/** A write in the envelope of a message. The envelope has 30 tokens. */
const bounds = { ...writeBody, tokens: writeBody.tokens + 64 }

export function answerMcp(api: Api, { admit, turns }: Admission, allowedOrigins: readonly string[]) {
  return async (ctx: Context): Promise<void> => {
    refuseOrigin(ctx.get('Origin'), api.publicUrl, allowedOrigins)
    const actor = await api.authenticate(ctx.req.headers.authorization).catch((error: unknown) => {
      throw challenging(error, api.publicUrl, scopesOfAgents.join(' '))
    })
    await admit(ctx, actor, false, async () => {
      ctx.res.setHeader('Cache-Control', 'no-store')
      const list = listIn(ctx.querystring)
      const body = await bodyOf(ctx)
      if (body === undefined) return
      // the SDK and the schemas take 20 MB and 0.1 s, which processes without callers of MCP need not spend
      const { answerMessage, scopeNeeded, toolCalled } = await import('../mcp/endpoint.ts')
      const tool = toolCalled(body, list)
      if (tool !== undefined) toldOf(ctx).tool = tool
      requireScopeOf(actor, scopeNeeded(body, list), api.publicUrl)
      const message = { url: `${api.publicUrl}${mcpPath}`, headers: headersOf(ctx), body, list }
      const { status, body: text } = await answerMessage({
        ...message,
        caller: callerOf(ctx, actor, api, turns),
        failed: (error) => failed(error, ctx, api.publicUrl),
      })
      ctx.status = status
      if (text === '') answerNothing(ctx)
      else answerJson(ctx, text)
    })
  }
}

/** Stops web pages that were not allowed, also if they reach the service under another name (DNS rebinding). */
function refuseOrigin(origin: string, publicUrl: string, allowedOrigins: readonly string[]): void {
  if (origin === '' || allowedOrigins.includes(origin) || isOurs(origin, publicUrl)) return
  throw problem(
    'origin_not_allowed',
    'Web pages of this origin may not call it. PRECEDENT_ALLOWED_ORIGINS lists origins.',
  )
}

const loopback = ['localhost', '127.0.0.1', '[::1]']

/** Also the other names of this machine, if the service is known by one of them. */
function isOurs(origin: string, publicUrl: string): boolean {
  const ours = new URL(publicUrl)
  if (origin === ours.origin) return true
  if (!loopback.includes(ours.hostname)) return false
  return loopback.some((host) => origin === `${ours.protocol}//${host}${ours.port === '' ? '' : `:${ours.port}`}`)
}

/** Throws insufficient_scope, which tells the client which scope to ask for (RFC 6750). */
function requireScopeOf(actor: Actor, needed: Scope | undefined, publicUrl: string): void {
  if (needed === undefined) return
  try {
    requireScope(actor, needed)
  } catch (error) {
    throw challenging(error, publicUrl, needed)
  }
}

/** The same problem with the header that says how to authenticate (RFC 6750, RFC 9728). */
function challenging(error: unknown, publicUrl: string, scope: string): unknown {
  if (!(error instanceof Problem)) return error
  const { code, message, details, headers } = error
  if (code !== 'authentication_required' && code !== 'insufficient_scope') return error
  const about = `resource_metadata="${publicUrl}${metadataPath}", scope="${scope}"`
  const challenge = code === 'insufficient_scope' ? `Bearer error="${code}", ${about}` : `Bearer ${about}`
  return new Problem(code, message, {
    ...(details ? { details } : {}),
    headers: { ...headers, 'WWW-Authenticate': challenge },
    cause: error,
  })
}

function listIn(query: string): ToolList {
  const parameters = new URLSearchParams(query)
  for (const name of new Set(parameters.keys())) {
    if (name !== 'tools') throw invalid(name, 'unknown parameter: leave it out')
  }
  const [given = 'all', ...more] = parameters.getAll('tools')
  if (more.length > 0 || !(toolLists as readonly string[]).includes(given)) {
    throw invalid('tools', `must be one of ${toolLists.join(', ')}`)
  }
  return given as ToolList
}

/** undefined: the body is no message, and the answer says so in the words of JSON-RPC. */
async function bodyOf(ctx: Context): Promise<Record<string, unknown> | undefined> {
  try {
    const body = await readJson(ctx, bounds)
    if (body !== null && typeof body === 'object' && !Array.isArray(body)) return body as Record<string, unknown>
    const remedy = Array.isArray(body) ? 'Batches are not supported: send each message by itself.' : 'Send one object.'
    refuseMessage(ctx, -32600, `The body is no message. ${remedy}`)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'malformed_json') throw error
    refuseMessage(ctx, -32700, error.message)
  }
  return undefined
}

function refuseMessage(ctx: Context, code: number, message: string): void {
  ctx.status = 400
  answerJson(ctx, JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }))
}

function answerJson(ctx: Context, text: string): void {
  // set before the body: Koa would guess the type
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8')
  ctx.body = text
}

/** Koa would send the name of the status. The protocol wants no body. */
function answerNothing(ctx: Context): void {
  ctx.body = ''
  ctx.remove('Content-Type')
}

/** The headers that the protocol reads. */
function headersOf({ req }: Context): Record<string, string> {
  const read = (name: string) => name.startsWith('mcp-') || name === 'accept' || name === 'content-type'
  return Object.fromEntries(
    Object.entries(req.headers).flatMap(([name, value]) => (read(name) && value ? [[name, String(value)]] : [])),
  )
}

function callerOf(ctx: Context, actor: Actor, api: Api, turns: Admission['turns']): Caller {
  const told = toldOf(ctx)
  return {
    scopes: actor.scopes,
    publicUrl: api.publicUrl,
    query: (query, input) => turns.run(actor, () => api.query(query, actor, input)),
    async write(operation, given, repeatsFor) {
      const { key, input } = keyInBody(given)
      if (key !== undefined) await refuseSecret('idempotency_key', key)
      const call = { operation, actor, input, idempotencyKey: key ?? newKey(), trace: told.trace }
      const repeats = key === undefined && repeatsFor !== undefined ? { repeatsFor } : {}
      const accepted = await turns.run(actor, () => api.accept({ ...call, ...repeats }))
      told.receipt = accepted.id
      const receipt = await api.waitForEnd(accepted, longestWait)
      return presentReceipt(receipt, actor, api.publicUrl)
    },
  }
}

/** For the log and the metrics too: the answer itself has status 200. */
function failed(error: unknown, ctx: Context, publicUrl: string): ReturnType<Message['failed']> {
  const refusal = asProblem(error)
  const body = problemBody(refusal, publicUrl, ctx.res.getHeader('X-Request-Id') as string)
  toldOf(ctx).failure = { code: refusal.code, status: body.status, cause: refusal.cause ?? refusal }
  return body
}
