/** Works on paths with `/` like `posix` of node:path, which browsers do not have. */
export const posix = {
  /** The last part of a path. */
  basename(path: string): string {
    return withoutSlashes(path).replace(/^.*\//s, '')
  },

  /** The path above. `.`: there is none. */
  dirname(path: string): string {
    const parts = withoutSlashes(path)
    const at = parts.lastIndexOf('/')
    if (at < 0) return path.startsWith('/') ? '/' : '.'
    const above = parts.slice(0, at)
    if (above !== '') return at === 1 && path.startsWith('//') ? '//' : above
    return '/'
  },

  /** Without `.`, `..` and empty parts, as far as that is possible. */
  normalize(path: string): string {
    const isAbsolute = path.startsWith('/')
    const parts: string[] = []
    for (const part of path.split('/')) {
      if (part === '' || part === '.') continue
      if (part !== '..') parts.push(part)
      else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop()
      else if (!isAbsolute) parts.push('..')
    }
    const end = path.endsWith('/') ? '/' : ''
    if (parts.length === 0) return isAbsolute ? '/' : `.${end}`
    return `${isAbsolute ? '/' : ''}${parts.join('/')}${end}`
  },

  join(...paths: readonly string[]): string {
    return posix.normalize(paths.filter((path) => path !== '').join('/'))
  },
}

function withoutSlashes(path: string): string {
  return path.replace(/\/+$/, '')
}
