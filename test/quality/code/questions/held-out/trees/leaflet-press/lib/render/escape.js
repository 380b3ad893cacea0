const names = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escape = (text) => String(text).replace(/[&<>"]/g, (character) => names[character])
