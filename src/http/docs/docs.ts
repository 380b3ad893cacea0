/** /docs with the viewer, /docs/problems, and the OpenAPI documents, made from the same tables as the router. */
import type { Context } from 'koa'
import { problem } from '../../problem.ts'
import { isKnown } from '../base/etag.ts'
import type { PageRoute } from '../base/route.ts'
import { type ApiDocument, openapi } from './openapi/describe.ts'
import { problemsPage } from './problems.ts'
import { type Asset, loadViewer, viewerPage } from './viewer.ts'

/** `documents`: those that the viewer offers. It shows the first one if the reader doesn't choose. */
export function docsRoutes(documents: readonly ApiDocument[]): readonly PageRoute[] {
  const viewer = loadedOnce(loadViewer)
  const problems = madeOnce(problemsPage)
  return [
    {
      kind: 'page',
      method: 'GET',
      path: '/',
      summary: 'Leads to /docs.',
      show: (ctx, api) => ctx.redirect(`${api.publicUrl}/docs`),
    },
    ...documents.map(documentRoute),
    {
      kind: 'page',
      method: 'GET',
      path: '/docs',
      summary: 'The reference of the API.',
      async show(ctx, api) {
        ctx.set('Content-Security-Policy', viewerPolicy)
        // a proxy may add a folder before /docs, and the router takes a slash after it
        const root = ctx.path.endsWith('/') ? '../' : ''
        show(ctx, 'text/html', viewerPage({ documents, assets: await viewer(), publicUrl: api.publicUrl, root }))
      },
    },
    {
      kind: 'page',
      method: 'GET',
      path: '/docs/viewer/:file',
      summary: 'Scripts and styles of /docs.',
      show: async (ctx) => showAsset(ctx, await viewer()),
    },
    {
      kind: 'page',
      method: 'GET',
      path: '/docs/problems',
      summary: 'Explains every problem code.',
      show(ctx, api) {
        ctx.set('Content-Security-Policy', problemsPolicy)
        show(ctx, 'text/html', problems(api.publicUrl))
      },
    },
  ]
}

const nowhere = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** The icons are data in the style sheet. */
const viewerPolicy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; ${nowhere}`
const problemsPolicy = `default-src 'none'; style-src 'unsafe-inline'; ${nowhere}`

function documentRoute(document: ApiDocument): PageRoute {
  const text = madeOnce((publicUrl) => JSON.stringify(openapi(document, publicUrl)))
  return {
    kind: 'page',
    method: 'GET',
    path: document.path,
    summary: `Describes ${document.name} as OpenAPI 3.1.`,
    show: (ctx, api) => show(ctx, 'application/json', text(api.publicUrl)),
  }
}

function show(ctx: Context, type: string, body: string): void {
  ctx.set('Cache-Control', 'public, max-age=60')
  ctx.body = body
  ctx.type = type
}

/** The name has the hash of the content, so a browser never needs to ask again. */
async function showAsset(ctx: Context, assets: readonly Asset[]): Promise<void> {
  const { file } = (ctx as unknown as { params: { file: string } }).params
  const asset = assets.find(({ name }) => name === file)
  if (asset === undefined) throw problem('not_found', 'There is no such file. Load /docs again.')
  ctx.set('Cache-Control', 'public, max-age=31536000, immutable')
  const etag = `"${asset.name}"`
  ctx.set('ETag', `W/${etag}`)
  ctx.vary('Accept-Encoding')
  if (isKnown(etag, ctx.get('If-None-Match'))) {
    ctx.status = 304
    return
  }
  const zipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  if (zipped) ctx.set('Content-Encoding', 'gzip')
  ctx.body = zipped ? asset.zipped : await asset.plain()
  ctx.type = asset.type
}

/** Makes the text at the first request and keeps it, because it does not change while the service runs. */
function madeOnce(make: (publicUrl: string) => string): (publicUrl: string) => string {
  let made: { publicUrl: string; text: string } | undefined
  return (publicUrl) => {
    if (made?.publicUrl !== publicUrl) made = { publicUrl, text: make(publicUrl) }
    return made.text
  }
}

/** Caches the loaded value. A failure is not cached. */
function loadedOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
