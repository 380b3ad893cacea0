/**
 * Attempts: who may index a repository now, and which attempt is shown. Both are conditional updates of its row, so two
 * workers at once do no harm: of two attempts, only the newer one can be published.
 */
import { createHash } from 'node:crypto'
import type { ConnectedRepository } from '../../../config/operator/repository-settings.ts'
import { instant } from '../../ports/clock.ts'
import type { Change } from '../../ports/documents.ts'
import type { Head } from '../../ports/mirrors.ts'
import { type CodeRepository, codeRepositories, nameKey } from '../stored/repository.ts'
import { claimedFor, type IndexingPorts } from './ports.ts'
import type { Tally } from './tally.ts'

type Ports = Pick<IndexingPorts, 'documents' | 'clock'>

/** The row of a connected repository. It is made at the first call. */
export async function rowOf(connected: ConnectedRepository, ports: Ports): Promise<CodeRepository> {
  const { documents, clock } = ports
  const found = await documents.get(codeRepositories, connected.id)
  if (found === undefined) {
    await documents.insert(codeRepositories, newRow(connected, clock.now()))
    return rowOf(connected, ports)
  }
  if (found.audience === connected.audience) return found
  // what the new audience may not see must not be served until it is indexed again
  const hidden: Partial<CodeRepository> = {
    audience: connected.audience,
    state: 'pending',
    commit: null,
    commit_at: null,
    published: [],
  }
  await documents.update(codeRepositories, found.id, { set: hidden, inc: { generation: 1 } })
  return rowOf(connected, ports)
}

/** What the index depends on besides the commit. `epoch`: of the search index. */
export function settingsMark(
  { audience, include, exclude }: ConnectedRepository,
  parserVersion: string,
  epoch: string,
): string {
  const settings = JSON.stringify([audience, include, exclude, parserVersion, epoch])
  return createHash('sha256').update(settings).digest('base64url').slice(0, 22)
}

/**
 * The generation of the new attempt. undefined: another worker is at it, or has changed the row since it was read.
 * `shown`: changes what readers see of the repository.
 */
export async function claim(
  row: CodeRepository,
  { documents, clock }: Ports,
  shown: Partial<Pick<CodeRepository, 'state' | 'error'>> = {},
): Promise<number | undefined> {
  const { claimed_until, indexed_at } = row
  if (isTaken(row, { clock })) return undefined
  const generation = row.generation + 1
  const set = { ...shown, generation, claimed_until: claimEnd({ clock }) }
  // an attempt that was under way when the row was read may have published and ended since
  const condition = { generation: row.generation, claimed_until, indexed_at }
  const isMine = await documents.update(codeRepositories, row.id, { set }, condition)
  return isMine ? generation : undefined
}

/** Whether an attempt is under way, or died lately. */
export function isTaken(
  { id, generation, claimed_until }: Pick<CodeRepository, 'id' | 'generation' | 'claimed_until'>,
  { clock }: Pick<Ports, 'clock'>,
): boolean {
  return claimed_until > instant(clock) && abandoned.get(id) !== generation
}

/** Whether earlier attempts have left nothing behind. */
export function isCleared({ generation, cleared }: Pick<CodeRepository, 'generation' | 'cleared'>): boolean {
  return generation === cleared
}

/** false: another attempt has begun, so this one can't be published any more. */
export function renew(id: string, generation: number, { documents, clock }: Ports): Promise<boolean> {
  return changeMine(id, generation, { set: { claimed_until: claimEnd({ clock }) } }, { documents })
}

/** Shows the new commit instead of the old one. false: another attempt has begun. */
export function publish(
  row: CodeRepository,
  generation: number,
  { head, published, tally, settings }: { head: Head; published: number[]; tally: Tally; settings: string },
  { documents, search, clock }: Ports & Pick<IndexingPorts, 'search'>,
): Promise<boolean> {
  const set = {
    commit: head.commit,
    commit_at: head.at,
    indexed_at: instant(clock),
    behind_since: null,
    state: 'ready',
    error: null,
    search_version: search.version,
    published,
    settings,
    ...tally.totals(),
  } as const
  return changeMine(row.id, generation, { set }, { documents })
}

/**
 * The generation of the newest attempt of this process that failed and could not release its claim either, for example
 * because the disk was full. By repository. The attempt is over, so the next one need not wait until the claim ends.
 */
const abandoned = new Map<string, number>()

/** Does the work of an attempt, and releases its claim if the work throws. */
export async function whileClaimed<Result>(
  id: string,
  generation: number,
  ports: Pick<Ports, 'documents'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    await release(id, generation, ports).catch(() => abandoned.set(id, generation))
    throw error
  }
}

export function release(id: string, generation: number, ports: Pick<Ports, 'documents'>): Promise<boolean> {
  return changeMine(id, generation, { set: { claimed_until: '' } }, ports)
}

/** Releases the claim of an attempt that has cleared all that earlier ones have left. `row`: as it was claimed. */
export async function releaseCleared(
  { id, cleared }: Pick<CodeRepository, 'id' | 'cleared'>,
  generation: number,
  ports: Pick<Ports, 'documents'>,
): Promise<void> {
  const set = { claimed_until: '', cleared: generation }
  // `cleared` has changed if an overtaken attempt has left something behind meanwhile
  const isCleared = await ports.documents.update(codeRepositories, id, { set }, { generation, cleared })
  if (!isCleared) await release(id, generation, ports)
}

/** An attempt that was overtaken has left something behind. */
export async function notCleared(id: string, { documents }: Pick<Ports, 'documents'>): Promise<void> {
  await documents.update(codeRepositories, id, { inc: { cleared: -1 } })
}

/** `message`: a sentence without secrets. */
export function fail(
  id: string,
  generation: number,
  message: string,
  ports: Pick<Ports, 'documents'>,
): Promise<boolean> {
  return changeMine(id, generation, { set: { state: 'failed', error: message, claimed_until: '' } }, ports)
}

function changeMine(
  id: string,
  generation: number,
  change: Change<CodeRepository>,
  { documents }: Pick<Ports, 'documents'>,
): Promise<boolean> {
  return documents.update(codeRepositories, id, change, { generation })
}

function claimEnd({ clock }: Pick<Ports, 'clock'>): string {
  return new Date(clock.now() + claimedFor).toISOString()
}

/**
 * `generation`: must be higher than any that this repository had before. If it was connected earlier and removed, an
 * attempt of that time may still write its documents, and those of later attempts must replace them.
 */
function newRow({ id, workspace, name, audience, url }: ConnectedRepository, generation: number): CodeRepository {
  return {
    id,
    workspace,
    name,
    name_key: nameKey(name),
    audience,
    url,
    settings: '',
    state: 'pending',
    error: null,
    branch: null,
    head: null,
    head_at: null,
    commit: null,
    commit_at: null,
    indexed_at: null,
    behind_since: null,
    generation,
    cleared: generation,
    claimed_until: '',
    search_version: '',
    published: [],
    languages: {},
    files: 0,
    symbols: 0,
    skipped: {},
  }
}
