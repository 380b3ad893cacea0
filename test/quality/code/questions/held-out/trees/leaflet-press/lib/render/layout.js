import { readFileSync } from 'node:fs'
import { parse } from '../content/front-matter.js'
import { toHtml } from './markdown.js'
import { fill } from './template.js'

const deepest = 10

export function compose(page, config) {
  let content = toHtml(page.body)
  let name = page.layout ?? 'default'
  for (let depth = 0; name; depth += 1) {
    if (depth === deepest) throw new Error(`layouts of ${page.slug} go round in a circle`)
    const layout = parse(readFileSync(`layouts/${name}.html`, 'utf8'))
    content = fill(layout.body, { ...config, ...page, content })
    name = layout.layout
  }
  return content
}
