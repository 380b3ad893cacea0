/** /docs/problems: explains each problem code at the address that the `type` of a problem gives. */
import { problems } from '../../problem.ts'
import { html, type Safe, safe } from '../base/html.ts'
import { statusOf, typeUri } from '../base/problem.ts'
import { explanations } from './explanations.ts'

export function problemsPage(publicUrl: string): string {
  const rows = Object.entries(problems) as [keyof typeof problems, (typeof problems)[keyof typeof problems]][]
  const entries = rows.map(([code, { title, status, retryable }]) => {
    const { meaning, remedy, example, details } = explanations[code]
    const inReceipts = status === 200
    const type = typeUri(code, publicUrl)
    const shown = inReceipts
      ? { code, message: example, retryable, details }
      : { type, title, status: statusOf(code), detail: example, code, retryable, details }
    return html`<section id="${code}"><h2><code>${code}</code> ${title}</h2><dl>
<dt>Type</dt><dd><code>${type}</code></dd>
<dt>Status</dt><dd>${inReceipts ? 'in receipts' : String(status)}${retryable ? ', may be sent again' : ''}</dd>
<dt>Meaning</dt><dd>${meaning}</dd><dt>What to do</dt><dd>${remedy}</dd>
<dt>Example</dt><dd><pre>${JSON.stringify(shown, null, 2)}</pre></dd></dl></section>`
  })
  const content = html`<h1 id="problems">Problems</h1>
<p>Errors are <code>application/problem+json</code> (RFC 9457). <code>code</code> is stable, so programs can rely on it.
<code>retryable</code> says whether the same request may succeed later. If a write fails after it was accepted, its
receipt has the error in <code>error</code>, with the same codes.</p>${entries}`
  return page('Problems of Precedent', content)
}

function page(title: string, content: Safe): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${safe(style)}</style></head><body><main>${content}</main></body></html>
`.markup
}

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:0;color:#1b1b1b;background:#fff}main{max-width:60rem;margin:auto;padding:1rem}
table{border-collapse:collapse;width:100%;font-size:.9rem;margin:.5rem 0}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #ddd}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}pre{background:#f5f5f5;padding:.6rem;overflow:auto}section{margin:2rem 0}dt{font-weight:600}dd{margin:0 0 .4rem}dd code{overflow-wrap:anywhere}
@media (prefers-color-scheme:dark){body{color:#e8e8e8;background:#161616}pre{background:#242424}a{color:#8ab4f8}th,td{border-color:#3a3a3a}}`
