/** /docs with the viewer, /docs/problems, and the OpenAPI documents, made from the same tables as the router. */
import type { Context } from 'koa'
import { loadedOnce, showAsset } from '../base/assets.ts'
import type { PageRoute } from '../base/route.ts'
import { type ApiDocument, openapi } from './openapi/describe.ts'
import { problemsPage } from './problems.ts'
import { loadViewer, viewerPage } from './viewer.ts'

/** `documents`: those that the viewer offers. It shows the first one if the reader doesn't choose. */
export function docsRoutes(documents: readonly ApiDocument[]): readonly PageRoute[] {
  const viewer = loadedOnce(loadViewer)
  const problems = madeOnce(problemsPage)
  return [
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
      show: async (ctx) => showAsset(ctx, await viewer(), '/docs'),
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

/** Makes the text at the first request and keeps it, because it does not change while the service runs. */
function madeOnce(make: (publicUrl: string) => string): (publicUrl: string) => string {
  let made: { publicUrl: string; text: string } | undefined
  return (publicUrl) => {
    if (made?.publicUrl !== publicUrl) made = { publicUrl, text: make(publicUrl) }
    return made.text
  }
}
