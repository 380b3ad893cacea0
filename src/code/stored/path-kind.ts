/** What a file is for, by its path: tests, examples and documents seldom are what somebody looks for in code. */

export type PathKind = 'source' | 'test' | 'example' | 'document'

const folders: readonly [PathKind, RegExp][] = [
  ['test', /^(?:tests?|specs?|__tests__|__mocks__|testing|testdata|fixtures?|e2e)$/i],
  ['example', /^(?:examples?|samples?|demos?)$/i],
  ['document', /^(?:docs?|documentation)$/i],
]
const testFile = /(?:[._-](?:test|tests|spec)\.[^.]+$)|(?:^test_)|(?:[a-z0-9]Tests?\.[^.]+$)/
const proseLanguages = ['markdown', 'restructuredtext', 'asciidoc', 'text']

export function pathKind(path: string): PathKind {
  const parts = path.split('/')
  const name = parts.pop() as string
  if (testFile.test(name)) return 'test'
  for (const [kind, folder] of folders) if (parts.some((part) => folder.test(part))) return kind
  return 'source'
}

export function isProse(language: string | null): boolean {
  return language !== null && proseLanguages.includes(language)
}
