/**
 * Lists the dependencies that are behind their newest release, each with the reason why it stays (`npm run outdated`).
 * The reasons are the table "Held back" of docs/dependencies.md. Ends with 1 if a dependency is behind without a reason,
 * or if a reason names one that is not behind any more.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

interface Outdated {
  current?: string
  wanted: string
  latest: string
}

const reasons = heldBack(readFileSync('docs/dependencies.md', 'utf8'))
const behind = outdated()
const unexplained = Object.keys(behind).filter((name) => !reasons.has(name))
const needless = [...reasons.keys()].filter((name) => !Object.hasOwn(behind, name))

for (const [name, { current, latest }] of Object.entries(behind)) {
  process.stdout.write(
    `${name} ${current ?? '(not installed)'}, newest ${latest}: ${reasons.get(name) ?? 'NO REASON'}\n`,
  )
}
if (unexplained.length > 0) {
  process.stdout.write(`Upgrade, or say why not in docs/dependencies.md: ${unexplained.join(', ')}\n`)
}
if (needless.length > 0) {
  process.stdout.write(`Not behind any more, remove the reason from docs/dependencies.md: ${needless.join(', ')}\n`)
}
process.exit(unexplained.length + needless.length > 0 ? 1 : 0)

/** `npm outdated` ends with 1 if anything is behind, and prints nothing if nothing is. */
function outdated(): Record<string, Outdated> {
  const { stdout, stderr, error } = spawnSync('npm', ['outdated', '--json'], { encoding: 'utf8' })
  if (error !== undefined) throw error
  const answer = JSON.parse(stdout.trim() || '{}') as Record<string, Outdated> & { error?: { summary?: string } }
  if (answer.error !== undefined) throw new Error(`npm outdated failed: ${answer.error.summary ?? stderr}`)
  return answer
}

/** The rows below the heading "Held back": package name to reason. One row may name several packages. */
function heldBack(document: string): Map<string, string> {
  const section = document.split(/^## /m).find((part) => part.startsWith('Held back\n')) ?? ''
  const rows = section.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
  return new Map(
    rows.flatMap(([, names = '', reason = '']) =>
      names === '' || names === 'package' || /^-+$/.test(names)
        ? []
        : names.split(', ').map((name) => [name, reason] as const),
    ),
  )
}
