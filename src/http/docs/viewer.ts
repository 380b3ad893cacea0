/** The reference page. Swagger UI draws it in the browser from the OpenAPI documents, with files of this service only. */
import { type Asset, loadAssets, nameOfAsset } from '../base/assets.ts'
import { html } from '../base/html.ts'
import type { ApiDocument } from './openapi/describe.ts'

/** Our own style sheet comes last, because it changes rules of the others. */
const styles = ['swagger-ui.css', 'index.css', 'viewer.css']
/** In the order in which they have to run. */
const scripts = ['swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js', 'start.js']

/** Reads the files that the build compressed (scripts/viewer.ts). */
export function loadViewer(): Promise<readonly Asset[]> {
  return loadAssets('#viewer', [...styles, ...scripts])
}

export interface ViewerPage {
  documents: readonly ApiDocument[]
  assets: readonly Asset[]
  publicUrl: string
  /** From the address of the page to the root of the service: '' or '../'. */
  root: string
}

/** Addresses are relative, so that the page also works at another address than PRECEDENT_PUBLIC_URL. */
export function viewerPage({ documents, assets, publicUrl, root }: ViewerPage): string {
  const address = (file: string) => `${root}docs/viewer/${nameOfAsset(assets, file)}`
  const links = documents.map(({ name, path }) => html`<li><a href="${root}${path.slice(1)}">${name}: ${path}</a></li>`)
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Precedent API</title><link rel="icon" href="data:,">
${styles.map((file) => html`<link rel="stylesheet" href="${address(file)}">`)}
</head><body>
<noscript><h1>Precedent API</h1><p>This page needs JavaScript. The same descriptions as OpenAPI 3.1, for other tools:</p>
<ul>${links}</ul><p><a href="${root}docs/problems">All error codes</a> are explained on a page without scripts.</p></noscript>
<div id="viewer" data-public-url="${publicUrl}" data-documents="${JSON.stringify(
    documents.map(({ name, path }) => ({ name, path })),
  )}"></div>
${scripts.map((file) => html`<script src="${address(file)}"></script>`)}
</body></html>
`.markup
}
