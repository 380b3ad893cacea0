/**
 * The console: web pages for people (docs/console.md). The same page is served at all of its addresses; its script
 * (src/console) calls the API with the key that the reader enters.
 */
import type { Context } from 'koa'
import { problem } from '../problem.ts'
import { type Asset, loadAssets, loadedOnce, nameOfAsset, showAsset } from './base/assets.ts'
import { html } from './base/html.ts'
import type { PageRoute } from './base/route.ts'

/** What each address shows. */
const pages: Readonly<Record<string, string>> = {
  '/': 'what to know now, and what needs a person',
  '/search': 'search',
  '/questions': 'all open questions',
  '/questions/:id': 'one open question',
  '/decisions/:id': 'one decision',
  '/memories/:id': 'one memory',
  '/tasks': 'all tasks',
  '/tasks/:id': 'one task',
  '/changes': 'what changed, by day',
  '/repositories': 'the connected repositories, and what is in their code',
  '/repositories/:owner/:name': 'the folders and files of one repository',
  '/operations': 'whether the service works, for operators',
  '/keys': 'the keys of the workspace, for operators',
  '/receipts': 'what became of writes',
  '/receipts/:id': 'one receipt',
  '/import': 'importing files',
}

const script = 'console.js'
const style = 'console.css'
/** Scripts of threads. The script of the page learns their names, and loads them when it needs them. */
const importThread = 'import-thread.js'
const translateThread = 'translate-thread.js'
const files = loadedOnce(() => loadAssets('#console', [script, style, importThread, translateThread]))

export const consoleRoutes: readonly PageRoute[] = [
  ...Object.entries(pages).map(
    ([path, shows]): PageRoute => ({
      kind: 'page',
      method: 'GET',
      path,
      summary: `The console: ${shows}.`,
      show: async (ctx) => showPage(ctx, await files()),
    }),
  ),
  {
    kind: 'page',
    method: 'GET',
    path: '/console/:file',
    summary: 'The scripts and the style sheet of the console.',
    show: async (ctx) => {
      // a thread has the policy of its own script
      ctx.set('Content-Security-Policy', policy)
      await showAsset(ctx, await files(), 'the page')
    },
  },
]

/** It shows nothing of other origins, and sends nothing to them. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

function showPage(ctx: Context, assets: readonly Asset[]): void {
  if (!isReadable(ctx.path)) throw problem('not_found', 'There is nothing at this address: it is malformed.')
  ctx.set('Content-Security-Policy', policy)
  ctx.set('Referrer-Policy', 'no-referrer')
  ctx.set('Cache-Control', 'no-cache')
  // relative, because a proxy may add a folder before the address
  const root = '../'.repeat(ctx.path.split('/').length - 2)
  ctx.body = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Precedent</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}console/${nameOfAsset(assets, style)}">
</head><body>
<noscript><p>The console needs JavaScript. Without it, use the command line or <a href="${root}docs">the API</a>.</p></noscript>
<div id="console" data-root="${root}" data-import-thread="${nameOfAsset(assets, importThread)}" data-translate-thread="${nameOfAsset(assets, translateThread)}"></div>
<script type="module" src="${root}console/${nameOfAsset(assets, script)}"></script>
</body></html>
`.markup
  ctx.type = 'text/html'
}

/** The script can read the address. */
function isReadable(path: string): boolean {
  if (path.startsWith('//')) return false
  try {
    decodeURIComponent(path)
    return true
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}
