/** The OpenAPI 3.1 description of a table of routes, made from the zod schemas that validate. */
import { nameOf, type Route, type StreamRoute, scopeOf, summaryOf } from '../../base/route.ts'
import { type Call, isCall, type Json, takesBody } from './call.ts'
import { parametersOf, requestBodyOf } from './requests.ts'
import { problemResponses, refusalsOf, successOf } from './responses.ts'
import { componentsOf, namesOf, type SchemaNames } from './schemas.ts'

/** One OpenAPI document of the service. */
export interface ApiDocument {
  /** In the choice of /docs. */
  name: string
  title: string
  version: string
  /** Where it is served. */
  path: string
  /** In Markdown. */
  describe(publicUrl: string): string
  routes: readonly Route[]
}

export function openapi({ title, version, describe, routes }: ApiDocument, publicUrl: string): Json {
  const calls = routes.filter(isCall)
  const names = namesOf(calls)
  const paths: Record<string, Record<string, Operation>> = {}
  // a stream is added to the read of its path
  for (const call of [
    ...calls.filter((one) => one.kind !== 'stream'),
    ...calls.filter((one) => one.kind === 'stream'),
  ]) {
    const path = call.path.replaceAll(/:(\w+)/g, '{$1}')
    const methods = paths[path] ?? {}
    paths[path] = methods
    const method = call.method.toLowerCase()
    methods[method] = call.kind === 'stream' ? withStream(methods[method], call, names) : operationOf(call, names)
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description: describe(publicUrl),
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
          description: 'A key (svc_sk_…). Its scopes decide which calls it may make.',
        },
      },
      schemas: componentsOf(calls, names),
      responses: problemResponses(calls),
    },
  }
}

interface Operation {
  parameters?: Json[]
  responses: Record<string, Json>
  [field: string]: unknown
}

/** One operation answers both, by the header Accept. */
function withStream(read: Operation | undefined, call: StreamRoute, names: SchemaNames): Operation {
  const stream = operationOf(call, names)
  if (read === undefined) return stream
  const known = new Set(read.parameters?.map(({ name }) => name))
  const parameters = [...(read.parameters ?? []), ...(stream.parameters ?? []).filter(({ name }) => !known.has(name))]
  const [ofRead, ofStream] = [read.responses['200'] ?? {}, stream.responses['200'] ?? {}]
  const content = { ...(ofRead.content as Json), ...(ofStream.content as Json) }
  const description = `${ofRead.description} With \`Accept: text/event-stream\`: ${ofStream.description}`
  return {
    ...read,
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: { ...stream.responses, ...read.responses, '200': { ...ofRead, description, content } },
  }
}

function operationOf(call: Call, names: SchemaNames): Operation {
  const name = nameOf(call) as string
  const scope = scopeOf(call)
  const parameters = parametersOf(call)
  return {
    operationId: name,
    summary: summaryOf(call),
    description: scope === null ? 'Any key in force may call it.' : `Scope \`${scope}\`.`,
    tags: [tagOf(call)],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(takesBody(call) ? { requestBody: requestBodyOf(call, names.inputs) } : {}),
    responses: { ...successOf(call, names.outputs), ...refusalsOf(call) } as Operation['responses'],
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
