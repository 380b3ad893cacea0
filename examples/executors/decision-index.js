/**
 * An executor without a language model. It writes an index of the decision records (ADRs) of a git repository, and
 * commits it on a branch of its own. The checkout of the repository stays as it is.
 *
 * Precedent gives it one JSON document on standard input, and reads its messages from standard output, one JSON object a
 * line. The environment is that of the operator's file: REPOSITORY is the folder of the repository, and RECORDS the folder
 * in it that has the records (left out: the one that has most).
 *
 *   phase plan: prints a plan. Nothing is changed.
 *   phase run:  does what the plan says, prints milestones, and a result. Safe to run twice.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

const { phase, run, task, plan, brief } = JSON.parse(readFileSync(0, 'utf8'))
const { REPOSITORY: repository, RECORDS: only } = process.env
if (!repository) fail('REPOSITORY is not set: name the folder of a git repository in `environment.set`.')

const records = recordsIn(repository)
if (records.length === 0) fail(`${repository} has no decision records in its last commit.`)
const index = join(dirname(records[0].path), 'README.md')

if (phase === 'plan') {
  say({
    type: 'plan',
    text: `${task.name}\n\n${index} will list the ${records.length} decision records of ${basename(repository)}.${binding(brief)}`,
    steps: [
      `Read ${records.length} decision records of the last commit.`,
      `Write ${index}: number, title, status and date of each.`,
      `Commit it on the branch ${branchOf(run)}. The checkout and the other branches stay as they are.`,
    ],
  })
} else {
  if (plan?.note) milestone('Read the note of the approval', plan.note)
  milestone(`Read ${records.length} decision records`)
  const commit = commitIndex()
  say({
    type: 'result',
    summary: `${index} lists the ${records.length} decision records of ${basename(repository)}: commit ${commit.slice(0, 12)} on the branch ${branchOf(run)}. Next: review the branch and merge it.`,
    links: [],
    task_status: 'done',
  })
}

/** Commits in a worktree of its own. Returns the id of the commit. */
function commitIndex() {
  const worktree = mkdtempSync(join(tmpdir(), 'decision-index-'))
  try {
    git(repository, 'worktree', 'add', '--quiet', '--detach', worktree, 'HEAD')
    writeFileSync(join(worktree, index), page())
    milestone(`Wrote ${index}`)
    git(worktree, 'add', '--', index)
    const changed = git(worktree, 'status', '--porcelain') !== ''
    const who = ['-c', 'user.name=Precedent', '-c', 'user.email=precedent@localhost']
    if (changed) git(worktree, ...who, 'commit', '--quiet', '-m', `List the decision records\n\nRun: ${run.id}`)
    const commit = git(worktree, 'rev-parse', 'HEAD')
    git(worktree, 'branch', '--force', branchOf(run), commit)
    milestone(changed ? `Committed ${commit.slice(0, 12)} on ${branchOf(run)}` : 'The index was up to date')
    return commit
  } finally {
    git(repository, 'worktree', 'remove', '--force', worktree)
    rmSync(worktree, { recursive: true, force: true })
  }
}

function page() {
  const rows = records.map(
    ({ path, title, status, date }) =>
      `| [${cell(title)}](${encodeURI(basename(path))}) | ${cell(status)} | ${cell(date)} |`,
  )
  return `# Decision records\n\n| decision | status | date |\n| --- | --- | --- |\n${rows.join('\n')}\n`
}

/** Markdown files with a number at the start of their names, of one folder. */
function recordsIn(folder) {
  const files = git(folder, 'ls-tree', '-r', '-z', '--name-only', 'HEAD').split('\0')
  const byFolder = new Map()
  for (const path of files.filter((file) => /^\d+[-_ ].*\.md$/i.test(basename(file)))) {
    byFolder.set(dirname(path), [...(byFolder.get(dirname(path)) ?? []), path])
  }
  const [largest = []] = [...byFolder.values()].sort((a, b) => b.length - a.length)
  const chosen = only === undefined ? largest : (byFolder.get(only) ?? [])
  return chosen.sort().map((path) => ({ path, ...headOf(git(folder, 'show', `HEAD:${path}`)) }))
}

function headOf(text) {
  return {
    title: /^#\s+(.+)$/m.exec(text)?.[1] ?? '',
    status: /^(?:[-*]\s*)?status:\s*(.+)$/im.exec(text)?.[1] ?? /^##\s+status\s+(\S.*)$/im.exec(text)?.[1] ?? '',
    date: /^(?:[-*]\s*)?date:\s*(.+)$/im.exec(text)?.[1] ?? '',
  }
}

/** What the brief says must be kept to, for the person who reads the plan. */
function binding(markdown = '') {
  const section = /^## (?:Constraints|Commitments)[^\n]*\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(markdown)?.[1]?.trim()
  return section ? `\n\nThe brief names what binds:\n\n${section}` : ''
}

function branchOf({ id }) {
  return `precedent/${id}`
}

function cell(text) {
  return text.replaceAll('|', '\\|').trim()
}

function git(folder, ...args) {
  return execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).trim()
}

function milestone(title, text) {
  say({ type: 'milestone', title, ...(text ? { text } : {}) })
}

function say(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
