import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repository } from '../support/repository.ts'

interface Locked {
  version?: string
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
}

const json = (name: string) => JSON.parse(readFileSync(join(repository, name), 'utf8'))
const manifest = json('package.json') as Record<
  'dependencies' | 'devDependencies' | 'allowScripts',
  Record<string, unknown>
>
const { packages } = json('package-lock.json') as { packages: Record<string, Locked> }
const installed = Object.entries(packages).filter(([path]) => path !== '')
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

describe('package-lock.json', () => {
  it('contains the SHA-512 of every package, and no registry address', () => {
    expect(installed.length).toBeGreaterThan(200)
    expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([])
    expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([])
  })

  it('has no package with an install script except those in allowScripts of package.json', () => {
    const withScript = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path))
    expect([...new Set(withScript)].sort()).toEqual(Object.keys(manifest.allowScripts).sort())
  })
})

describe('package.json', () => {
  it('pins every dependency to one version', () => {
    const { dependencies, devDependencies } = manifest
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      // downdoc names all of its releases `-stable`
      expect(version, name).toMatch(/^\d+\.\d+\.\d+(?:-stable)?$/)
    }
  })

  it('has a line in docs/dependencies.md for every dependency of the service', () => {
    const document = readFileSync(join(repository, 'docs/dependencies.md'), 'utf8')
    for (const name of Object.keys(manifest.dependencies)) expect(document).toContain(name)
  })
})
