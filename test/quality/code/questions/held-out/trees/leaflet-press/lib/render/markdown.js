import { escape } from './escape.js'

const inline = [
  [/`([^`]+)`/g, '<code>$1</code>'],
  [/\*\*([^*]+)\*\*/g, '<strong>$1</strong>'],
  [/\*([^*]+)\*/g, '<em>$1</em>'],
  [/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>'],
]

export function toHtml(text) {
  return text.trim().split(/\n{2,}/).map(block).join('\n')
}

function block(text) {
  const heading = /^(#{1,6}) (.*)$/.exec(text)
  if (heading) return `<h${heading[1].length}>${spans(heading[2])}</h${heading[1].length}>`
  if (text.startsWith('    ')) return `<pre><code>${escape(text.replace(/^ {4}/gm, ''))}</code></pre>`
  if (text.startsWith('- ')) {
    return `<ul>${text.split(/\n?- /).slice(1).map((item) => `<li>${spans(item)}</li>`).join('')}</ul>`
  }
  return `<p>${spans(text)}</p>`
}

function spans(text) {
  return inline.reduce((sofar, [pattern, html]) => sofar.replace(pattern, html), escape(text))
}
