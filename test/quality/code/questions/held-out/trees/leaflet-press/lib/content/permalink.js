/** Accents are taken off and everything else that isn't a letter or digit becomes a single dash. */
export function slugify(title) {
  return title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

export function urlOf(page, pattern) {
  const parts = { slug: page.title ? slugify(page.title) : page.slug, year: String(page.date ?? '').slice(0, 4) }
  return pattern.replace(/:(\w+)/g, (_, name) => parts[name] ?? '').replace(/\/{2,}/g, '/')
}
