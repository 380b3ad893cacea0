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

function markupOf(part: Part): string {
  if (typeof part === 'string') return escaped(part)
  if (Array.isArray(part)) return part.map(({ markup }: Safe) => markup).join('')
  return (part as Safe).markup
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] as string)
}
