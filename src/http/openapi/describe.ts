/** The OpenAPI 3.1 description of a table of routes, made from the zod schemas that validate. */
import type { z } from 'zod'
import { nameOf, type Route, scopeOf, summaryOf } from '../route.ts'
import { type Call, isCall, type Json, takesBody } from './call.ts'
import { parametersOf, requestBodyOf } from './requests.ts'
import { problemResponses, refusalsOf, successOf } from './responses.ts'
import { componentsOf, inputNames } from './schemas.ts'

export function openapi(routes: readonly Route[], publicUrl: string): Json {
  const calls = routes.filter(isCall)
  const inputs = inputNames(calls)
  const components = componentsOf(calls, inputs)
  const paths: Record<string, Json> = {}
  for (const call of calls) {
    const path = call.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    ;(paths[path] as Json)[call.method.toLowerCase()] = operationOf(call, inputs)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Precedent',
      version: '1.0.0',
      description: 'Keeps what a company knows and has decided, for the software agents and people that work there.',
      contact: { name: 'Precedent', url: `${publicUrl}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    security: [{ bearer: [] }],
    tags: tagsOf(calls),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key (svc_sk_…). Its scopes decide what it may call.',
        },
      },
      schemas: components,
      responses: problemResponses(),
    },
  }
}

function operationOf(call: Call, inputs: ReadonlyMap<z.ZodType, string>): Json {
  const name = nameOf(call) as string
  const scope = scopeOf(call)
  const parameters = parametersOf(call)
  return {
    operationId: name,
    summary: summaryOf(call),
    description: scope === null ? 'Any key in force may call it.' : `Scope \`${scope}\`.`,
    tags: [tagOf(call)],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(takesBody(call) ? { requestBody: requestBodyOf(call, inputs) } : {}),
    responses: { ...successOf(call), ...refusalsOf(call) },
  }
}

const tagDescriptions: Readonly<Record<string, string>> = {
  context: 'What the workspace knows: briefs, search, sync, and new memories.',
  memory: 'Single memories.',
  decision: 'Decisions, their revisions, and imports of many.',
  receipt: 'What became of each write.',
  key: 'Keys, for admins.',
  index: 'Search indexes, for admins.',
}

function tagsOf(calls: readonly Call[]): Json[] {
  const names = new Set(calls.map(tagOf))
  return [...names].map((name) => ({ name, description: tagDescriptions[name] ?? name }))
}

function tagOf(call: Call): string {
  return (nameOf(call) as string).split('.', 1)[0] as string
}
