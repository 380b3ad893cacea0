/**
 * Finds the lines of an export that are already in this store. If a line equals the current revision of its decision, the
 * service itself records nothing. But it does not recognise older revisions, nor a decision that was exported without an
 * external_id: these would be recorded twice.
 */
import { decisionImportItem } from '../../decisions/input.ts'
import type { ImportedItem } from '../../import/files/reading.ts'
import { canonicalJson } from '../../text/canonical.ts'
import type { Client } from '../client/client.ts'
import { decisionsWithExternalId } from '../client/decisions-with-external-id.ts'
import { forEachConcurrent } from '../client/for-each-concurrent.ts'
import { hydration } from '../export/hydrate.ts'
import { type Line, madeFromId } from '../export/lines.ts'
import { Failure } from '../terminal/failure.ts'

const atOnce = 8

export interface Existing {
  /** The items that must be sent, in their order. */
  missing: ImportedItem[]
  /** The ids in this store of the decisions that are there, by their ids in the export. */
  ids: Map<string, string>
}

/** `items` must hold all lines of a decision. */
export async function existingDecisions(items: readonly ImportedItem[], client: Client): Promise<Existing> {
  const groups = new Map<string, ImportedItem[]>()
  for (const item of items) {
    if (item.id !== undefined) groups.set(item.id, [...(groups.get(item.id) ?? []), item])
  }
  const all = { missing: [...items], ids: new Map<string, string>() }
  if (groups.size === 0) return all
  try {
    const there = await linesHere(groups, client)
    const wanted = new Set<ImportedItem>()
    for (const [id, lines] of groups) for (const item of linesToSend(lines, there.get(id))) wanted.add(item)
    return {
      missing: items.filter((item) => item.id === undefined || wanted.has(item)),
      ids: new Map([...there].flatMap(([id, [line]]) => (line === undefined ? [] : [[id, line.id] as const]))),
    }
  } catch (error) {
    // a key that may only write can't check: send everything
    if (error instanceof Failure && error.code === 'insufficient_scope') return all
    throw error
  }
}

/** By id in the export: the lines of the decision in this store, its revisions in order. */
async function linesHere(groups: ReadonlyMap<string, ImportedItem[]>, client: Client): Promise<Map<string, Line[]>> {
  const { decisions } = hydration(client, false)
  const there = await decisions([...groups.keys()])
  const revised = [...groups].filter(([id, lines]) => lines.length > 1 && !there.has(id))
  const idsHere = new Map<string, string>()
  await forEachConcurrent(revised, atOnce, async ([id, lines]) => {
    const here = await idByExternalId(lines, client)
    if (here !== undefined) idsHere.set(id, here)
  })
  const found = await decisions([...idsHere.values()])
  for (const [id, here] of idsHere) there.set(id, found.get(here) ?? [])
  return there
}

async function idByExternalId(lines: readonly ImportedItem[], client: Client): Promise<string | undefined> {
  const { external_id, visibility } = (lines.at(-1) as ImportedItem).decision
  if (external_id === undefined) return undefined
  const found = await decisionsWithExternalId(client, external_id)
  return found.find((item) => canonicalJson(item.visibility) === canonicalJson(visibility))?.id
}

/** The lines after the one that equals the current revision in this store. If none does, only the last line. */
function linesToSend(lines: readonly ImportedItem[], here: readonly Line[] | undefined): readonly ImportedItem[] {
  const last = lines.at(-1) as ImportedItem
  if (here === undefined) return lines
  // the external_id was made from its id: sending it would record a second decision
  if (last.decision.external_id === madeFromId + last.id) return []
  if (here.some((line) => isSame(last, line))) return []
  const current = here.at(-1)
  const at = lines.findLastIndex((item) => item !== last && current !== undefined && hasSameTexts(item, current))
  return at < 0 ? [last] : lines.slice(at + 1)
}

function isSame({ decision }: ImportedItem, { kind: _, id: __, ...line }: Line): boolean {
  const here = decisionImportItem.safeParse(line)
  return here.success && inOneOrder(here.data) === inOneOrder(decision)
}

/** An older file may name what the decision supersedes in another order. */
function inOneOrder({ supersedes, ...decision }: ImportedItem['decision']): string {
  return canonicalJson({ ...decision, supersedes: [...supersedes].sort() })
}

const texts = ['title', 'status', 'decided_at', 'judgment', 'context', 'rationale', 'consequences'] as const

/** Compares only the texts, status and date: the API returns no other fields of older revisions. */
function hasSameTexts({ decision }: ImportedItem, line: Line): boolean {
  return texts.every((name) => canonicalJson(decision[name]) === canonicalJson(line[name]))
}
