import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repository } from '../support/repository.ts'
import { mutants } from './list.ts'

describe('the list of mutants', () => {
  it('names code that exists exactly once, and tests that exist', () => {
    const stale = mutants.filter(({ file, find, replace, killedBy }) => {
      const parts = readFileSync(join(repository, file), 'utf8').split(find)
      return parts.length !== 2 || find === replace || killedBy.length === 0 || !killedBy.every(isThere)
    })
    expect(stale).toEqual([])
  })
})

function isThere(file: string): boolean {
  return existsSync(join(repository, file))
}
