/** Only the flat part of the language: names, texts, numbers, yes and no, and lists in brackets. */
export function parse(text) {
  const result = {}
  for (const line of text.split('\n')) {
    const match = /^([\w-]+):\s*(.*)$/.exec(line)
    if (match) result[match[1]] = scalar(match[2].trim())
  }
  return result
}

function scalar(text) {
  if (/^\[.*\]$/.test(text)) return text.slice(1, -1).split(',').map((one) => scalar(one.trim()))
  if (/^(true|false)$/.test(text)) return text === 'true'
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  return text.replace(/^(['"])(.*)\1$/, '$2')
}
