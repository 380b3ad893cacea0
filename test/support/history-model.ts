/**
 * A model of the rules of validity, written only from SEMANTICS 1 and PROTOCOL 2.10. It keeps everything in memory and
 * stores nothing that can be computed. Instants are milliseconds, and everyone sees every record.
 */

export type Status = 'proposed' | 'accepted' | 'rejected' | 'deprecated'

/** A target of `supersedes`: a record, or an external_id that may be written later. */
export type Named = Kept | string

export interface Revision {
  number: number
  /** The write that made it. Writes are numbered in the order of acceptance. */
  write: number
  /** The content. Another write may repeat it. */
  word: string
  from: number
  status: Status
  names: readonly Named[]
  reason: string | undefined
  /** Equal content means the same decision. */
  content: string
  /** When the proposal was rejected. */
  dismissed?: number
}

export interface Successor {
  kept: Kept
  from: number
  reason: string | undefined
}

export interface Kept {
  kind: 'memory' | 'decision'
  memoryKind: string | undefined
  externalId: string | undefined
  corrects: Kept | undefined
  /** In the order of acceptance. */
  revisions: Revision[]
  /** Earliest first. Of the same instant, in the order in which they took effect. */
  successors: Successor[]
  supersedes: Set<Kept>
}

export interface Model {
  kept: Kept[]
}

export type Written = { kept: Kept } | { refused: 'already_superseded'; head: Kept } | { refused: 'would_cycle' }

export interface MemoryWrite {
  write: number
  word: string
  kind: string
  from: number
  content: string
  corrects?: Kept
}

export interface DecisionWrite extends Omit<Revision, 'number'> {
  externalId: string | undefined
}

export function writeMemory(model: Model, memory: MemoryWrite, now: number): Written {
  const { write, word, from, content, corrects } = memory
  if (corrects && corrects.successors.length > 0) return { refused: 'already_superseded', head: headOf(corrects) }
  const repeats = ['fact', 'constraint', 'commitment'].includes(memory.kind)
  const same = repeats && model.kept.find((one) => one.revisions[0]?.content === content && isInForce(one, now))
  if (same) return { kept: same }
  const names = corrects ? [corrects] : []
  const revision: Revision = { number: 1, write, word, from, status: 'accepted', names, reason: undefined, content }
  const kept = newRecord({ kind: 'memory', memoryKind: memory.kind, corrects, revisions: [revision] })
  model.kept.push(kept)
  takeDue(model, now)
  return { kept }
}

export function writeDecision(model: Model, { externalId, ...said }: DecisionWrite, now: number): Written {
  const known = externalId === undefined ? undefined : withExternalId(model, externalId)
  if (known) {
    const before = known.revisions.findLast((one) => one.write < said.write) ?? known.revisions[0]
    if (before?.content === said.content) return { kept: known }
  }
  const kept = known ?? newRecord({ kind: 'decision', externalId, revisions: [] })
  if (said.names.some((name) => wouldCycle(model, kept, name))) return { refused: 'would_cycle' }
  const number = Math.max(0, ...kept.revisions.map((one) => one.number)) + 1
  kept.revisions.push({ ...said, number })
  kept.revisions.sort((a, b) => a.write - b.write)
  if (!known) model.kept.push(kept)
  takeDue(model, now, kept)
  return { kept }
}

export interface Judgment {
  resolution: 'confirm' | 'dismiss' | 'correct'
  write: number
  /** The content of the correcting decision. */
  word: string
  /** When it was accepted. */
  at: number
}

/** Proposals without a judgment. A superseded decision needs no judgment. */
export function proposalOf({ revisions, successors }: Kept): Revision | undefined {
  const newest = revisions.at(-1)
  return newest?.status === 'proposed' && successors.length === 0 ? newest : undefined
}

/** The proposal is accepted as it is, or rejected, or another decision supersedes the whole decision. */
export function judge(model: Model, kept: Kept, { resolution, write, word, at }: Judgment, now: number): Written {
  const proposal = proposalOf(kept) as Revision
  if (resolution === 'correct') {
    const own = { names: [kept], reason: undefined, content: word }
    const revision: Revision = { number: 1, write, word, from: at, status: 'accepted', ...own }
    const made = newRecord({ kind: 'decision', revisions: [revision] })
    model.kept.push(made)
    takeDue(model, now, made)
    return { kept: made }
  }
  if (resolution === 'dismiss') {
    proposal.status = 'rejected'
    proposal.dismissed = at
    return { kept }
  }
  proposal.status = 'accepted'
  proposal.from = at
  takeDue(model, now, kept)
  return { kept }
}

/**
 * Applies supersessions whose instant has come; void: not all could take effect. Those of `first` come before those
 * that waited for it.
 */
export function takeDue(model: Model, now: number, first?: Kept): 'all' | 'void' {
  const due = model.kept
    .flatMap((newer) => targetsOf(model, newer).map((older) => ({ newer, older, begin: beginOf(model, newer, older) })))
    .filter(({ begin }) => begin !== undefined && begin <= now)
    .sort((a, b) => Number(b.newer === first) - Number(a.newer === first) || (a.begin ?? 0) - (b.begin ?? 0))
  const taken = due.map(({ newer, older, begin }) => supersede(model, newer, older, begin as number))
  return taken.every((one) => one) ? 'all' : 'void'
}

/** false: the older record has already superseded the newer one. */
function supersede(model: Model, newer: Kept, older: Kept, from: number): boolean {
  const known = older.successors.find((one) => one.kept === newer)
  if (known && known.from <= from) return true
  if (known) known.from = from
  else {
    if (isSupersededBy(newer, older)) return false
    const reason = planOf(newer, (name) => isNamed(model, older, name))?.reason
    older.successors.push({ kept: newer, from, reason })
    newer.supersedes.add(older)
  }
  older.successors.sort((a, b) => a.from - b.from)
  return true
}

/** When the first superseding revision begins. */
export function beginOf(model: Model, newer: Kept, older: Kept): number | undefined {
  return planOf(newer, (name) => isNamed(model, older, name))?.begin
}

/**
 * The first decided revision plans the supersession, if it names the older record or follows a revision that does.
 * Later revisions may begin earlier. A proposal plans nothing and changes no plan. The newest reason counts.
 */
function planOf({ revisions }: Kept, isOlder: (name: Named) => boolean) {
  let plan: { begin: number | undefined; reason: string | undefined } | undefined
  for (const one of revisions) {
    if (!plan && !one.names.some(isOlder)) continue
    if (!isDecided(one) && plan?.begin !== undefined) continue
    const begin = isDecided(one) ? Math.min(plan?.begin ?? Number.POSITIVE_INFINITY, one.from) : undefined
    plan = one.dismissed === undefined ? { begin, reason: one.reason ?? plan?.reason } : undefined
  }
  return plan
}

export function isDecided({ status }: Revision): boolean {
  return status === 'accepted' || status === 'deprecated'
}

/** A revision is valid until a revision that was accepted later begins. A proposal never ends a decided revision. */
function replacedAt(kept: Kept, revision: Revision): number {
  const later = kept.revisions.filter((one) => one.write > revision.write)
  const ending = later.filter((one) => isDecided(one) || !isDecided(revision))
  return Math.min(Number.POSITIVE_INFINITY, ...ending.map((one) => one.from))
}

/** Infinity: it has no end. */
export function endOf(kept: Kept, revision: Revision): number {
  const ends = Math.min(replacedAt(kept, revision), kept.successors[0]?.from ?? Number.POSITIVE_INFINITY)
  return Math.max(revision.from, Number.isFinite(ends) ? ends : (revision.dismissed ?? ends))
}

export function revisionInForce(kept: Kept, at: number): Revision | undefined {
  const holding = kept.revisions.filter((one) => isDecided(one) && one.from <= at && at < endOf(kept, one))
  if (holding.length > 1) throw new Error('two revisions hold at one instant')
  return holding.find((one) => one.status === 'accepted')
}

export function isInForce(kept: Kept, at: number): boolean {
  return revisionInForce(kept, at) !== undefined
}

/** The newest decided revision; if there is none, the newest. */
export function currentOf({ revisions }: Kept): Revision {
  return revisions.findLast(isDecided) ?? (revisions.at(-1) as Revision)
}

/**
 * Among revisions that have begun, the newest decided one, or else the newest. If all are dated ahead, the current one.
 */
export function shownAt(kept: Kept, now: number): Revision {
  const begun = kept.revisions.filter((one) => one.from <= now)
  return begun.findLast(isDecided) ?? begun.at(-1) ?? currentOf(kept)
}

export function isDatedAhead(kept: Kept, now: number): boolean {
  return kept.revisions.every((one) => one.from > now)
}

export function headOf(kept: Kept): Kept {
  const [next] = kept.successors
  return next ? headOf(next.kept) : kept
}

/** Everything that it superseded, directly or indirectly. */
export function behind(kept: Kept): Kept[] {
  const found = new Set<Kept>()
  const open = [...kept.supersedes]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (found.has(one)) continue
    found.add(one)
    open.push(...one.supersedes)
  }
  return [...found]
}

/** Everything that supersedes it, nearest first. */
export function ahead(kept: Kept): Kept[] {
  const found = new Set<Kept>()
  for (let level = [kept]; level.length > 0; ) {
    level = level.flatMap((one) => one.successors.map((successor) => successor.kept)).filter((one) => !found.has(one))
    for (const one of level) found.add(one)
  }
  return [...found]
}

export function isSupersededBy(older: Kept, newer: Kept): boolean {
  return older === newer || ahead(older).includes(newer)
}

/** All instants at which something begins or ends. */
export function boundaries(model: Model): number[] {
  const all = model.kept.flatMap((kept) => kept.revisions.flatMap((one) => [one.from, endOf(kept, one)]))
  return [...new Set(all)].filter(Number.isFinite).sort((a, b) => a - b)
}

function wouldCycle(model: Model, newer: Kept, name: Named): boolean {
  const older = typeof name === 'string' ? withExternalId(model, name) : name
  if (older === undefined) return name === newer.externalId
  return !newer.supersedes.has(older) && isSupersededBy(newer, older)
}

function targetsOf(model: Model, newer: Kept): Kept[] {
  return model.kept.filter((older) =>
    newer.revisions.some((one) => one.names.some((name) => isNamed(model, older, name))),
  )
}

function isNamed(model: Model, kept: Kept, name: Named): boolean {
  return kept === (typeof name === 'string' ? withExternalId(model, name) : name)
}

function withExternalId(model: Model, externalId: string): Kept | undefined {
  return model.kept.find((one) => one.externalId === externalId)
}

function newRecord(fields: Pick<Kept, 'kind' | 'revisions'> & Partial<Kept>): Kept {
  const none = { memoryKind: undefined, externalId: undefined, corrects: undefined }
  return { ...none, successors: [], supersedes: new Set(), ...fields }
}
