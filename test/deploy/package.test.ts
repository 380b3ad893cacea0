import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repository } from '../support/repository.ts'

interface Packed {
  files: { path: string }[]
}

const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  bin: { precedent: string }
  scripts: Record<string, string>
}

// without scripts: prepack would rebuild dist while other tests run from it
const packed = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: repository, encoding: 'utf8' }),
) as Packed[]
const paths = packed[0]?.files.map(({ path }) => path) ?? []

describe('the npm package', () => {
  it('contains the command, every kind of process, and what the README links to', () => {
    const kinds = Object.keys(manifest.scripts).filter((name) => existsSync(join(repository, `workers/${name}.ts`)))
    expect(kinds.length).toBe(6)
    for (const kind of kinds) expect(paths).toContain(`dist/workers/${kind}.js`)
    expect(paths).toContain(manifest.bin.precedent)
    expect(paths).toContain('dist/src/adapters/process/guard.js')
    for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md', 'deploy/precedent.service'])
      expect(paths).toContain(name)
    const folders = new Set(paths.map(dirname))
    const linked = [...readFileSync(join(repository, 'README.md'), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
    expect(linked.length).toBeGreaterThan(5)
    for (const [, path = ''] of linked) expect(paths.includes(path) || folders.has(path), path).toBe(true)
  })

  it('contains the viewer of /docs with its licenses', () => {
    for (const name of ['swagger-ui-bundle.js.gz', 'swagger-ui.css.gz', 'start.js.gz', 'LICENSE', 'NOTICE'])
      expect(paths).toContain(`dist/viewer/${name}`)
  })

  it('contains the console with the licenses of what is bundled', () => {
    for (const name of ['console.js.gz', 'console.css.gz', 'preact.LICENSE.txt', 'preact-iso.LICENSE.txt'])
      expect(paths).toContain(`dist/console/${name}`)
  })

  it('contains no tests, source maps, build information or TypeScript', () => {
    const unwanted = /(^|\/)test\/|\.map$|tsbuildinfo|\.ts$|^dist\/scripts\//
    expect(paths.filter((path) => unwanted.test(path))).toEqual([])
  })

  it('is built from an empty dist folder, so that it contains no file of an older build', () => {
    expect(manifest.scripts.prepack).toMatch(/rmSync\('dist'.*npm run --silent build$/)
  })
})
