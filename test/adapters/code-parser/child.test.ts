import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../support/clean-up.ts'
import { never, openedParser } from './open.ts'

const code = 'function a() {}\n'

it('starts no process for a file that is skipped by its size', async () => {
  const parser = openedParser()
  expect(parser.isRunning()).toBe(false)
  await parser.parseText('a.ts', 'a\n'.repeat(400_000))
  expect(parser.isRunning()).toBe(false)
})

it('ends the process when idle, and starts another one for the next file', async () => {
  const parser = openedParser({ idleMs: 50 })
  await parser.parseText('a.ts', code)
  await vi.waitFor(() => expect(parser.isRunning()).toBe(false), 10_000)
  expect((await parser.parseText('a.ts', code)).symbols).toMatchObject([{ name: 'a' }])
})

it('answers many files at a time, each with its own symbols', async () => {
  const parser = openedParser()
  const names = Array.from({ length: 60 }, (_, at) => `f${at}`)
  const parsed = await Promise.all(names.map((name) => parser.parseText(`${name}.ts`, `function ${name}() {}`)))
  expect(parsed.map(({ symbols }) => symbols[0]?.name)).toEqual(names)
})

it('only the file that breaks the child fails', async () => {
  const parser = openedParser({ program: programThat("process.kill(process.pid, 'SIGKILL')") })
  const paths = ['a.ts', 'poison.ts', 'b.ts', 'c.ts', 'poison.ts', 'd.ts']
  const parsed = await Promise.all(paths.map((path) => parser.parseText(path, code)))
  expect(parsed.map(({ skipped }) => skipped)).toEqual([undefined, 'failed', undefined, undefined, 'failed', undefined])
})

it('tries a file again if the system killed the child', async () => {
  const marker = join(temporaryFolder(), 'killed')
  const once = `const { existsSync, writeFileSync } = process.getBuiltinModule('node:fs')
    if (!existsSync('${marker}')) { writeFileSync('${marker}', ''); process.kill(process.pid, 'SIGKILL') }`
  const parser = openedParser({ program: programThat(once) })
  expect(await parser.parseText('poison.ts', code)).not.toHaveProperty('skipped', 'failed')
})

it('replaces a child that says that its parser broke', async () => {
  const parser = openedParser({ program: programThat('answer(message.id, true, "failed"); return') })
  const paths = ['a.ts', 'poison.ts', 'b.ts', 'c.ts']
  const parsed = await Promise.all(paths.map((path) => parser.parseText(path, code)))
  expect(parsed.map(({ skipped }) => skipped)).toEqual([undefined, 'failed', undefined, undefined])
})

it('kills a child that never answers', async () => {
  const parser = openedParser({ program: programThat('for (;;) {}'), killAfterMs: 1_000 })
  const paths = ['poison.ts', 'a.ts']
  const parsed = await Promise.all(paths.map((path) => parser.parseText(path, code)))
  expect(parsed.map(({ skipped }) => skipped)).toEqual(['timeout', undefined])
})

it('tries a file again if its child was frozen until it was killed', async () => {
  const marker = join(temporaryFolder(), 'frozen')
  const once = `const { existsSync, writeFileSync } = process.getBuiltinModule('node:fs')
    if (!existsSync('${marker}')) { writeFileSync('${marker}', ''); process.kill(process.pid, 'SIGSTOP') }`
  const parser = openedParser({ program: programThat(once), killAfterMs: 5_000 })
  expect((await parser.parseText('poison.ts', code)).skipped).toBeUndefined()
})

it('says that files failed if the child can never start', async () => {
  const parser = openedParser({ program: pathToFileURL('/nowhere/program.js') })
  expect(await parser.parseText('a.ts', code)).toMatchObject({ language: 'typescript', skipped: 'failed' })
})

it('rejects with the reason of the signal, and goes on with other files', async () => {
  const parser = openedParser()
  const controller = new AbortController()
  const aborted = parser.parse({ path: 'a.ts', bytes: Buffer.from(code) }, { cpp: false }, controller.signal)
  controller.abort(new Error('enough'))
  await expect(aborted).rejects.toThrow('enough')
  expect((await parser.parseText('a.ts', code)).symbols.length).toBe(1)
})

it('rejects what is under way when it closes', async () => {
  const parser = openedParser()
  const parsing = parser.parse({ path: 'a.ts', bytes: Buffer.from(code) }, { cpp: false }, never)
  const rejected = expect(parsing).rejects.toThrow('closed')
  await parser.close()
  await rejected
  await expect(parser.parseText('a.ts', code)).rejects.toThrow('closed')
})

/** A child that answers every file, but does this with a file of the name poison.ts. */
function programThat(breaks: string): URL {
  const file = join(temporaryFolder(), 'program.mjs')
  const program = `
    const answer = (id, isLast, skipped) =>
      process.send({ id, isLast, parsed: { symbols: [], chunks: [], skipped } }, () => isLast && process.exit())
    process.on('disconnect', () => process.exit())
    process.on('message', (message) => {
      if (message.path === 'poison.ts') { ${breaks} }
      answer(message.id, false, undefined)
    })`
  writeFileSync(file, program)
  return pathToFileURL(file)
}
