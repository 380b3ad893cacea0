/**
 * /openapi.json, /docs and /docs/problems, made from the same table as the router. The pages are HTML without
 * scripts.
 */
import type { Context } from 'koa'
import { problems } from '../problem.ts'
import type { Example } from './example.ts'
import { explanations } from './explanations.ts'
import { html, page, type Safe, safe } from './html.ts'
import { openapi } from './openapi/describe.ts'
import { statusOf, typeUri } from './problem.ts'
import { type PageRoute, type Route, summaryOf } from './route.ts'

type Json = Record<string, unknown>

export function docsRoutes({ v1, all }: { v1: readonly Route[]; all: readonly Route[] }): readonly PageRoute[] {
  const description = remembered((publicUrl) => JSON.stringify(openapi(v1, publicUrl)))
  const reference = remembered((publicUrl) => referencePage(all, publicUrl))
  const codes = remembered((publicUrl) => page('Problems of Precedent', problemList(publicUrl)))
  return [
    {
      kind: 'page',
      method: 'GET',
      path: '/',
      summary: 'Leads to /docs.',
      show: (ctx, api) => ctx.redirect(`${api.publicUrl}/docs`),
    },
    {
      kind: 'page',
      method: 'GET',
      path: '/openapi.json',
      summary: 'Describes v1 as OpenAPI 3.1.',
      show: (ctx, api) => show(ctx, 'application/json', description(api.publicUrl)),
    },
    {
      kind: 'page',
      method: 'GET',
      path: '/docs',
      summary: 'This page.',
      show: (ctx, api) => show(ctx, 'text/html', reference(api.publicUrl)),
    },
    {
      kind: 'page',
      method: 'GET',
      path: '/docs/problems',
      summary: 'Explains every problem code.',
      show: (ctx, api) => show(ctx, 'text/html', codes(api.publicUrl)),
    },
  ]
}

function show(ctx: Context, type: string, body: string): void {
  ctx.set('Cache-Control', 'public, max-age=60')
  ctx.set(
    'Content-Security-Policy',
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
  )
  ctx.body = body
  ctx.type = type
}

/** Makes the text at the first request and keeps it, because it does not change while the service runs. */
function remembered(make: (publicUrl: string) => string): (publicUrl: string) => string {
  let made: { publicUrl: string; text: string } | undefined
  return (publicUrl) => {
    if (made?.publicUrl !== publicUrl) made = { publicUrl, text: make(publicUrl) }
    return made.text
  }
}

function referencePage(routes: readonly Route[], publicUrl: string): string {
  const { paths, components } = openapi(routes, publicUrl) as { paths: Json; components: { schemas: Json } }
  const sections = routes.map((route) => section(route, paths, components.schemas))
  const links = routes.map((route) => html`<li><a href="#${anchor(route)}">${route.method} ${route.path}</a></li>`)
  return page(
    'Precedent',
    html`<h1>Precedent</h1>
<p>Keeps what a company knows and has decided, for the software agents and people that work there. The same as OpenAPI:
<a href="/openapi.json">/openapi.json</a>. Calls under /v1 and /admin need <code>Authorization: Bearer svc_sk_…</code>.
A write is answered with its receipt: 202 while it is under way, 200 when it has ended. Errors are
<a href="#problems">problems</a>.</p>
<nav><ul>${links}</ul></nav>
${sections}
${problemList(publicUrl)}`,
  )
}

function anchor(route: Route): string {
  return `${route.method.toLowerCase()}${route.path.replaceAll(/[^a-z0-9]+/g, '-')}`
}

function section(route: Route, paths: Json, schemas: Json): Safe {
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
  const operation = (paths[path] as Json | undefined)?.[route.method.toLowerCase()] as Operation | undefined
  return html`<section id="${anchor(route)}"><h2>${route.method} ${route.path}</h2><p>${summaryOf(route)} ${
    operation?.description ?? ''
  }</p>${operation ? details(operation, schemas) : safe('')}${
    route.kind === 'page' ? safe('') : examplesOf(route, route.example)
  }</section>`
}

interface Operation {
  description: string
  parameters?: { name: string; in: string; required: boolean; schema: Json; description?: string }[]
  requestBody?: { content: Record<string, { schema: Json }> }
  responses: Record<string, { description?: string; $ref?: string; content?: Record<string, { schema: Json }> }>
}

function details({ parameters = [], requestBody, responses }: Operation, schemas: Json): Safe {
  const body = Object.values(requestBody?.content ?? {})[0]?.schema
  const answers = Object.entries(responses).filter(([status]) => Number(status) < 400)
  const refused = Object.keys(responses).filter((status) => Number(status) >= 400)
  const shown = answers[0]?.[1].content?.['application/json']?.schema
  return html`${
    parameters.length > 0
      ? html`<h3>Parameters</h3>${table(
          parameters.map((one) => [
            `${one.name} (${one.in})`,
            typeOf(one.schema, schemas),
            one.required ? 'yes' : '',
            describe(one.schema, one.description),
          ]),
        )}`
      : ''
  }${body ? html`<h3>Body</h3>${table(fields(body, schemas))}` : ''}<h3>Answers</h3><p>${answers.map(
    ([status, answer]) => html`<code>${status}</code> ${answer.description ?? ''} `,
  )}Refusals: ${refused.map((status) => html`<code>${status}</code> `)}</p>${
    shown ? table(fields(shown, schemas)) : safe('')
  }`
}

/** As a request is sent: a body, or the path with its parameters and query. */
function examplesOf({ method, path }: Route, { request, response }: Example = {}): Safe {
  const asked = method === 'POST' ? json(request) : addressOf(path, (request ?? {}) as Json)
  return html`<h3>Example</h3><pre>${method} ${method === 'POST' ? path : asked}${
    method === 'POST' ? `\n\n${asked}` : ''
  }</pre>${response === undefined ? '' : html`<pre>${json(response)}</pre>`}`
}

const json = (value: unknown) => JSON.stringify(value, null, 2)

function addressOf(path: string, parameters: Json): string {
  const inPath = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(parameters[name])))
  const query = Object.entries(parameters).filter(([name]) => !path.includes(`:${name}`))
  return query.length === 0 ? inPath : `${inPath}?${new URLSearchParams(query as [string, string][])}`
}

type Row = [name: string, type: string, required: string, description: string]

function table(rows: Row[]): Safe {
  const lines = rows.map(
    ([name, type, required, description]) =>
      html`<tr><td><code>${name}</code></td><td>${type}</td><td>${required}</td><td>${description}</td></tr>`,
  )
  return html`<table><thead><tr><th>Field</th><th>Type</th><th>Required</th><th>Meaning</th></tr></thead><tbody>${lines}</tbody></table>`
}

/** Levels of nested fields that are listed. */
const deepest = 4

function fields(schema: Json, schemas: Json, prefix = '', depth = 1): Row[] {
  const { properties = {}, required = [] } = shapeOf(schema, schemas)
  return Object.entries(properties).flatMap(([name, field]): Row[] => {
    const path = `${prefix}${name}`
    const must = required.includes(name) ? 'yes' : ''
    const own: Row = [path, typeOf(field, schemas), must, describe(field, field.description as string | undefined)]
    if (depth >= deepest) return [own]
    const whole = resolved(field, schemas)
    return whole.type === 'array'
      ? [own, ...fields((whole.items ?? {}) as Json, schemas, `${path}[].`, depth + 1)]
      : [own, ...fields(whole, schemas, `${path}.`, depth + 1)]
  })
}

interface Shape {
  properties?: Record<string, Json>
  required?: string[]
}

/** A choice has the fields of all its variants. A field of several variants shows the values of each. */
function shapeOf(schema: Json, schemas: Json): Shape {
  const whole = resolved(schema, schemas)
  const choices = (whole.anyOf ?? whole.oneOf) as Json[] | undefined
  if (!choices) return whole as Shape
  const properties: Record<string, Json> = {}
  for (const choice of choices) {
    for (const [name, field] of Object.entries(shapeOf(choice, schemas).properties ?? {})) {
      const values = [properties[name], field].flatMap((one) => (one?.enum as unknown[]) ?? one?.const ?? [])
      properties[name] = values.length > 0 ? { ...field, enum: values } : field
    }
  }
  return { properties }
}

function resolved(schema: Json, schemas: Json): Json {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
  return name === undefined ? schema : ((schemas[name] ?? {}) as Json)
}

function typeOf(schema: Json, schemas: Json): string {
  const whole = resolved(schema, schemas)
  const choices = (whole.anyOf ?? whole.oneOf) as Json[] | undefined
  if (choices) return [...new Set(choices.map((choice) => typeOf(choice, schemas)))].join(' or ')
  if (whole.type === 'array') return `list of ${typeOf((whole.items ?? {}) as Json, schemas)}`
  return String(whole.format ?? whole.type ?? 'any')
}

function describe(schema: Json, description: string | undefined): string {
  const values = (schema.enum as string[] | undefined)?.join(', ')
  const bounds = [
    schema.minLength !== undefined || schema.maxLength !== undefined
      ? `${schema.minLength ?? 0} to ${schema.maxLength ?? 'any number of'} characters`
      : undefined,
    schema.maxItems !== undefined ? `at most ${schema.maxItems}` : undefined,
    schema.default !== undefined ? `default ${JSON.stringify(schema.default)}` : undefined,
  ]
  return [description, values, ...bounds].filter((part) => part !== undefined).join(' · ')
}

function problemList(publicUrl: string): Safe {
  const rows = Object.entries(problems) as [keyof typeof problems, (typeof problems)[keyof typeof problems]][]
  const entries = rows.map(([code, { title, status, retryable }]) => {
    const { meaning, remedy, example } = explanations[code]
    const inReceipts = status === 200
    const type = typeUri(code, publicUrl)
    const shown = inReceipts
      ? { code, message: example, retryable }
      : { type, title, status: statusOf(code), detail: example, code, retryable }
    return html`<section id="${code}"><h3><code>${code}</code> ${title}</h3><dl>
<dt>Type</dt><dd><code>${type}</code></dd>
<dt>Status</dt><dd>${inReceipts ? 'in receipts' : String(status)}${retryable ? ', may be sent again' : ''}</dd>
<dt>Meaning</dt><dd>${meaning}</dd><dt>What to do</dt><dd>${remedy}</dd>
<dt>Example</dt><dd><pre>${JSON.stringify(shown, null, 2)}</pre></dd></dl></section>`
  })
  return html`<h2 id="problems">Problems</h2>
<p>Errors are <code>application/problem+json</code> (RFC 9457). <code>code</code> is stable, so programs can rely on it.
<code>retryable</code> says whether the same request may succeed later. If a write fails after it was accepted, its
receipt has the error in <code>error</code>, with the same codes.</p>${entries}`
}
