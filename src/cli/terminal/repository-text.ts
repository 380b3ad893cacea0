/** Connected repositories, as text for operators. */
import type { OperatedRepository } from '../../code/operating/operated.ts'
import { count, inLine, table } from './terminal.ts'

/** The columns are separated by tabs, so that other programs can split them. */
export function repositoryLine(one: OperatedRepository): string {
  const { full_name, default_branch, state, head, indexed, indexed_at, counts } = one
  const columns = [
    full_name,
    default_branch ?? '-',
    state,
    short(head),
    short(indexed),
    indexed_at ?? '-',
    `${counts.files} files`,
    `${counts.symbols} symbols`,
    `${counts.skipped} skipped`,
  ]
  return columns.map(inLine).join('\t')
}

export function repositoryLines(one: OperatedRepository): string {
  const { full_name, default_branch, state, error, head, indexed, indexed_at, behind_since, counts } = one
  const rows = [
    ['name', full_name],
    ['url', one.url],
    ['audience', one.audience],
    ['branch', default_branch ?? 'not known yet'],
    ['state', state],
    ...(error === undefined ? [] : [['error', error]]),
    ['newest commit', head === null ? 'none' : `${head.commit} of ${head.at}`],
    ['indexed', indexed === null ? 'none' : `${indexed.commit} of ${indexed.at}`],
    ...(indexed_at === null ? [] : [['complete at', indexed_at]]),
    ...(behind_since === null ? [] : [['behind since', behind_since]]),
    ['files', `${count(counts.files, 'file')}, ${count(counts.symbols, 'symbol')}`],
    ['languages', listed(one.languages, (bytes) => `${Math.ceil(bytes / 1024).toLocaleString('en')} KiB`)],
    ['skipped', listed(one.skipped, (files) => files.toLocaleString('en'))],
  ]
  return table(rows.map((row) => row.map(inLine)))
}

/** The largest first. */
function listed(amounts: Readonly<Record<string, number>>, shown: (amount: number) => string): string {
  const sorted = Object.entries(amounts).sort(([, a], [, b]) => b - a)
  return sorted.length === 0 ? 'none' : sorted.map(([name, amount]) => `${name} ${shown(amount)}`).join(', ')
}

function short(commit: { commit: string } | null): string {
  return commit === null ? '-' : commit.commit.slice(0, 10)
}
