import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadConfig } from './config.js'
import { collect } from './content/collect.js'
import { urlOf } from './content/permalink.js'
import { handle as feed } from './output/feed.js'
import { handle as sitemap } from './output/sitemap.js'
import { brokenLinks } from './check/links.js'
import { compose } from './render/layout.js'

export async function build([file = 'site.yml'], { drafts = false, now = new Date() } = {}) {
  const config = loadConfig(file)
  const pages = collect('pages', { drafts, now }).map((page) => ({ ...page, url: urlOf(page, config.permalink) }))
  const files = new Map(pages.map((page) => [`${page.url}index.html`, compose(page, config)]))
  files.set('/feed.xml', feed(pages, config))
  files.set('/sitemap.xml', sitemap(pages, config))
  const broken = brokenLinks(files)
  if (broken.length > 0) throw new Error(`dead links:\n${broken.join('\n')}`)
  for (const [path, text] of files) write(join('public', path), text)
  return files.size
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
