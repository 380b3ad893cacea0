/** HTML templates. Values are escaped, unless they are HTML already. */
export interface Safe {
  readonly markup: string
}

type Part = string | Safe | readonly Safe[]

export function html(texts: TemplateStringsArray, ...parts: Part[]): Safe {
  return safe(texts.reduce((so, text, at) => so + markupOf(parts[at - 1] ?? '') + text))
}

export function safe(markup: string): Safe {
  return { markup }
}

export function page(title: string, content: Safe): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${safe(style)}</style></head><body><main>${content}</main></body></html>
`.markup
}

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:0;color:#1b1b1b;background:#fff}main{max-width:60rem;margin:auto;padding:1rem}
table{border-collapse:collapse;width:100%;font-size:.9rem;margin:.5rem 0}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #ddd}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}pre{background:#f5f5f5;padding:.6rem;overflow:auto}section{margin:2rem 0}dt{font-weight:600}dd{margin:0 0 .4rem}dd code{overflow-wrap:anywhere}
@media (prefers-color-scheme:dark){body{color:#e8e8e8;background:#161616}pre{background:#242424}a{color:#8ab4f8}th,td{border-color:#3a3a3a}}`

function markupOf(part: Part): string {
  if (typeof part === 'string') return escaped(part)
  if (Array.isArray(part)) return part.map(({ markup }: Safe) => markup).join('')
  return (part as Safe).markup
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] as string)
}
