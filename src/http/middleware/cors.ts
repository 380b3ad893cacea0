/**
 * Lets web pages of the configured origins call the service (Fetch standard, CORS). Without cookies and other
 * credentials of the browser: a page sends its key itself.
 */
import type { Context, Next } from 'koa'

const methods = 'GET, POST, PATCH, DELETE'
const requestHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Prefer, Traceparent, Tracestate, X-Request-Id'
const exposedHeaders =
  'Allow, ETag, Idempotent-Replayed, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id'
/** Seconds that a browser may remember the answer to a preflight: a changed setting takes effect after these. */
const remembered = '600'

/**
 * Sets the headers alone: the router answers OPTIONS of every path that exists. Outermost, so that problems have
 * them.
 */
export function cors(allowedOrigins: readonly string[]) {
  const allowed = new Set(allowedOrigins)
  return (ctx: Context, next: Next): Promise<void> => {
    // caches must not give the answer for one origin to another
    ctx.vary('Origin')
    const origin = ctx.get('Origin')
    if (allowed.has(origin)) {
      ctx.set('Access-Control-Allow-Origin', origin)
      if (ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') !== '') {
        ctx.set('Access-Control-Allow-Methods', methods)
        ctx.set('Access-Control-Allow-Headers', requestHeaders)
        ctx.set('Access-Control-Max-Age', remembered)
      } else ctx.set('Access-Control-Expose-Headers', exposedHeaders)
    }
    return next()
  }
}
