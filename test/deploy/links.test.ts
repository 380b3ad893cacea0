/** Links between the pages of the documentation lead somewhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { repository } from '../support/repository.ts'

const pages = [
  'README.md',
  ...readdirSync(join(repository, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** As GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

it.each(pages)('every link of %s names a file, and a heading in it', (page) => {
  const text = readFileSync(join(repository, page), 'utf8').replace(/^```.*?^```/gms, '')
  const broken = [...text.matchAll(/\]\(([^)#\s:]*)(?:#([^)\s]+))?\)/g)].flatMap(([link, file = '', anchor]) => {
    const path = file === '' ? join(repository, page) : join(repository, dirname(page), file)
    if (!existsSync(path)) return [link]
    if (anchor === undefined || !path.endsWith('.md')) return []
    const headings = [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      anchorOf(heading ?? ''),
    )
    return headings.includes(anchor) ? [] : [link]
  })
  expect(broken).toEqual([])
})
