/** `precedent status`: shows whether a running service is ready, which engines have problems, and how much work waits. */
import type { Command } from 'commander'
import type { Readiness } from '../../http/base/api.ts'
import { baseOf } from '../client/client.ts'
import { failureOf, parsed, unreachable } from '../client/refusals.ts'
import type { Act, Session } from '../client/session.ts'
import { type ExitCode, exitCodes, Failure } from '../terminal/failure.ts'
import { count, inLine } from '../terminal/terminal.ts'

/** What waits in the service. */
interface Backlog {
  open_workspaces: number
  oldest_seconds: Record<string, number>
  entries_to_index: number
  /** Their questions may be missing. */
  entries_to_compare: number
}

/** ms */
const answersWithin = 10_000

export function addStatus(program: Command, act: Act): void {
  program
    .command('status')
    .description('show whether the service is ready, its engines, and how much it still has to do')
    .addHelpText(
      'after',
      '\nThe exit code is 0 if the service is ready, 1 if it is not, and 3 if it cannot be reached.',
    )
    .action(act(status))
}

async function status({ settings, terminal, signal }: Session): Promise<ExitCode> {
  const base = baseOf(settings.url)
  const { text, status } = await read(base, '/readyz', signal)
  const readiness = parsed(text, status, base) as Partial<Readiness>
  if (typeof readiness.ready !== 'boolean') throw notPrecedent(base)
  const { ready, engines, problems = [] } = readiness
  const backlog = await backlogOf(base, settings.apiKey, signal)
  const isKnown = typeof backlog !== 'string'
  if (terminal.json) terminal.printJson({ url: base, ready, engines, problems, backlog: isKnown ? backlog : null })
  else {
    terminal.print(`${ready ? 'Ready' : 'Not ready'}: ${base}`)
    for (const [engine, problem] of Object.entries(engines ?? {})) {
      terminal.print(`  ${engine.padEnd(9)}  ${problem === null ? 'ok' : inLine(String(problem))}`)
    }
    const named = Object.entries(engines ?? {}).map(([engine, problem]) => `${engine}: ${problem}`)
    for (const problem of problems.filter((one) => !named.includes(one))) terminal.print(`  ${inLine(problem)}`)
    terminal.print(isKnown ? backlogText(backlog) : `Backlog: ${backlog}`)
  }
  return ready ? exitCodes.ok : exitCodes.failed
}

const needsKey = 'unknown. It needs an admin key of the first workspace.'
const needsStore = 'unknown while the store is unavailable.'

/** A text says why the backlog is unknown. */
async function backlogOf(base: string, key: string | undefined, signal: AbortSignal): Promise<Backlog | string> {
  if (key === undefined) return needsKey
  const { text, ok, status } = await read(base, '/metrics', signal, { authorization: `Bearer ${key}` })
  if (status === 401 || status === 403) return needsKey
  if (status === 503) return needsStore
  if (!ok) return `unknown. The service answered with status ${status}.`
  const values = (name: string) =>
    [...text.matchAll(new RegExp(`^precedent_${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))].map(
      ([, labels = '', value]) => [labels, Number(value)] as const,
    )
  const [open] = values('open_workspaces')
  // left out by the service while the store is unavailable
  if (open === undefined) return needsStore
  const lanes = values('oldest_open_receipt_seconds').map(
    ([labels, seconds]) => [/lane="(\w+)"/.exec(labels)?.[1] ?? '', seconds] as const,
  )
  const lags = values('journal_lag_entries').filter(([labels]) => labels.includes('over="sum"'))
  const lagOf = (stage: string) => lags.find(([labels]) => labels.includes(`stage="${stage}"`))?.[1] ?? 0
  return {
    open_workspaces: open[1],
    oldest_seconds: Object.fromEntries(lanes),
    entries_to_index: lagOf('indexed'),
    entries_to_compare: lagOf('compared'),
  }
}

function backlogText({ open_workspaces, oldest_seconds, entries_to_index, entries_to_compare }: Backlog): string {
  const waiting = Object.entries(oldest_seconds).filter(([, seconds]) => seconds > 0)
  const uncompared = `${count(entries_to_compare, 'entry is', 'entries are')} not compared yet, so questions may be missing`
  if (open_workspaces === 0 && entries_to_index === 0) {
    return entries_to_compare === 0
      ? 'Backlog: none. Every write is applied.'
      : `Backlog: ${uncompared}. Every write is applied.`
  }
  const oldest = waiting.map(([lane, seconds]) => `the oldest ${lane} write has waited ${seconds.toFixed(0)} s`)
  return [
    `Backlog: ${count(open_workspaces, 'workspace has', 'workspaces have')} open writes`,
    ...oldest,
    ...(entries_to_index > 0 ? [`${count(entries_to_index, 'entry is', 'entries are')} not searchable yet`] : []),
    ...(entries_to_compare > 0 ? [uncompared] : []),
  ]
    .join('; ')
    .concat('.')
}

async function read(base: string, path: string, signal: AbortSignal, headers: Record<string, string> = {}) {
  const late = AbortSignal.timeout(answersWithin)
  try {
    const response = await fetch(base + path, { headers, signal: AbortSignal.any([signal, late]) })
    return { text: await response.text(), status: response.status, ok: response.ok }
  } catch (error) {
    if (signal.aborted) throw error
    throw failureOf(unreachable(base, error, late.aborted))
  }
}

function notPrecedent(base: string): Failure {
  return new Failure('failed', 'not_precedent', `${base} is not a Precedent service.`, {
    remedy: 'Set PRECEDENT_URL or --url to the address of the service.',
  })
}
