/** Checks that every question about code has answers that exist in its tree. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repository } from '../support/repository.ts'

interface Question {
  repo: string
  question: string
  answers: { path: string; symbol?: string }[]
}

const folder = join(repository, 'test/quality/code/questions')

describe.each(readdirSync(folder))('the %s questions about code', (set) => {
  const trees = join(folder, set, 'trees')
  const questions = JSON.parse(readFileSync(join(folder, set, 'questions.json'), 'utf8')) as Question[]

  it('number at least 35 and ask about every tree', () => {
    expect(questions.length).toBeGreaterThanOrEqual(35)
    expect([...new Set(questions.map(({ repo }) => repo))].sort()).toEqual(readdirSync(trees).sort())
  })

  it('are each asked once', () => {
    expect(new Set(questions.map(({ question }) => question)).size).toBe(questions.length)
  })

  it('have one to three answers, each a file of the tree that contains its symbol', () => {
    const wrong = questions.filter(
      ({ repo, answers }) =>
        answers.length < 1 || answers.length > 3 || !answers.every((answer) => exists(join(trees, repo), answer)),
    )
    expect(wrong).toEqual([])
  })
})

function exists(tree: string, { path, symbol = '' }: Question['answers'][number]): boolean {
  const file = join(tree, path)
  return existsSync(file) && new RegExp(`(?<!\\w)${symbol}(?!\\w)`).test(readFileSync(file, 'utf8'))
}
