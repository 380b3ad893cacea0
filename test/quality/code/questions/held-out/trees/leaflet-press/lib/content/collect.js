import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from './front-matter.js'

export function collect(folder, { drafts, now }) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ slug: basename(name, '.md'), ...parse(readFileSync(join(folder, name), 'utf8')) }))
    .filter((page) => visible(page, drafts, now))
    .sort((one, other) => String(other.date).localeCompare(String(one.date)))
}

export function visible(page, drafts, now) {
  if (page.draft) return drafts
  return !page.date || new Date(page.date) <= now
}
