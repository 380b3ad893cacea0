export function excerpt(body, words) {
  const [before, ...after] = body.split('<!-- more -->')
  if (after.length > 0) return before.trim()
  const all = body.replace(/[#*_`>]/g, '').split(/\s+/).filter(Boolean)
  return all.length <= words ? all.join(' ') : `${all.slice(0, words).join(' ')}…`
}
