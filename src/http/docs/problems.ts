/** /docs/problems: explains each problem code at the address that the `type` of a problem gives. */
import { problems } from '../../problem.ts'
import { statusOf, typeUri } from '../base/problem.ts'
import { explanations } from './explanations.ts'
import { html, page } from './html.ts'

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
