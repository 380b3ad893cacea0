/** The way to a service at a URL. */
import { urlToHttpOptions } from 'node:url'
import { mcpPath } from '../../http/routes/mcp-paths.ts'
import { baseOf, keyOf } from '../client/client.ts'
import type { Route } from './carry.ts'

/** The path of the MCP endpoint, with the list of tools that it shows. */
export function endpoint(tools: string | undefined): string {
  return `${mcpPath}${tools === undefined ? '' : `?tools=${tools}`}`
}

/** Times that a request is sent if the service has closed connections that were idle. */
const mostAttempts = 3

/** Throws Failure if the URL or the key is malformed. */
export function urlRoute(url: string, apiKey: string | undefined, tools: string | undefined): Route {
  const base = baseOf(url)
  const address = urlToHttpOptions(new URL(base + endpoint(tools)))
  const target = { address, authorization: `Bearer ${keyOf(apiKey)}` }
  return {
    where: base,
    target: async () => target,
    // any other loss is told to the client, because the service may be away for long
    mayRepeat: (lost, attempt) => lost.wasIdle && !lost.timedOut && attempt < mostAttempts,
  }
}
