/** What the page shows of the records that were found: every field, long texts cut. */
import type { Format, ImportedRow, ImportNote } from '../../import/files/reading.ts'
import { isOnlyProposed } from '../../records/revisions.ts'
import type { ShownNote, ShownRecord, WhatWasFound } from './messages.ts'

type Row<Kind extends ImportedRow['kind']> = Extract<ImportedRow, { kind: Kind }>
type Facts = ShownRecord['facts']

/** Records of a file that are shown. A folder is shown completely. */
const mostOfFile = 1_000
const mostNotes = 10_000
/** UTF-16 units of one text. */
const longestText = 600

export interface Shown {
  add(row: ImportedRow): void
  all(): Omit<WhatWasFound, 'found'>
}

export function shownIn(format: Format): Shown {
  const records: { shown: ShownRecord; row: Row<'decision' | 'memory' | 'task'> }[] = []
  const notes: ShownNote[] = []
  return {
    add(row) {
      if (row.kind === 'note') {
        if (notes.length < mostNotes) notes.push(...eachPlace(row))
      } else if (row.kind !== 'not_decision' && (format === 'adr' || records.length < mostOfFile)) {
        records.push({ shown: shownOf(row), row })
      }
    },
    all() {
      const superseded = new Set(
        records.flatMap(({ row }) =>
          row.kind !== 'decision' || isOnlyProposed(row.decision) ? [] : row.decision.supersedes,
        ),
      )
      for (const { shown, row } of records) {
        if (row.kind === 'decision' && superseded.has(row.decision.external_id ?? '')) shown.status = 'superseded'
      }
      const shown = records.map((one) => one.shown)
      return { records: shown, notes: notesElsewhere(notes, shown, format) }
    },
  }
}

/** A note about several files becomes one note for each of them. */
function eachPlace({ file, line, message, others }: ImportNote): ShownNote[] {
  const more = (others?.files ?? []).map((other) => ({ file: other, line: 1, message: others?.message ?? message }))
  return [{ file, line, message }, ...more]
}

/** Gives each record the notes about its file or line, and returns the others. */
function notesElsewhere(notes: readonly ShownNote[], records: readonly ShownRecord[], format: Format): ShownNote[] {
  const placeOf = ({ file, line }: { file: string; line: number }) => (format === 'adr' ? file : `${file}:${line}`)
  const byPlace = new Map<string, ShownRecord | undefined>()
  // of a file with several decisions, no single one has the notes
  for (const record of records) byPlace.set(placeOf(record), byPlace.has(placeOf(record)) ? undefined : record)
  return notes.filter((note) => {
    const record = byPlace.get(placeOf(note))
    record?.notes.push(note)
    return record === undefined
  })
}

function shownOf(row: Row<'decision' | 'memory' | 'task'>): ShownRecord {
  const { kind, file, line } = row
  const place = { kind, file, line, notes: [] }
  if (row.kind === 'decision') return { ...place, ...ofDecision(row) }
  if (row.kind === 'task') {
    const { name, status, due_at, description, ...rest } = row.task
    const about = { ...(status && { status }), ...(due_at && { date: due_at }), beginning: cut(description ?? '') }
    return { ...place, title: name, ...about, facts: factsOf(rest) }
  }
  const { content, title, occurred_at, kind: kindOfMemory, ...rest } = row.memory
  const about = { status: kindOfMemory, ...(occurred_at && { date: occurred_at }), beginning: cut(content) }
  return { ...place, title: title ?? firstLine(content), ...about, facts: factsOf(rest) }
}

function ofDecision({ decision, datedBy, amends = [], amendedBy = [], outcomes }: Row<'decision'>) {
  const { title, status, decided_at, judgment, ...rest } = decision
  const { context, rationale, consequences, supersedes, sources, ...others } = rest
  const parts = typeof context === 'string' ? { context } : context
  const { alternatives = [], ...situation } = { alternatives: undefined, ...parts }
  const told = outcomes.map(({ outcome_status, outcome_notes, observed_at }) =>
    [outcome_status, observed_at?.slice(0, 10), outcome_notes].filter((one) => one).join(', '),
  )
  return {
    title,
    status,
    ...(decided_at && { date: decided_at }),
    ...(datedBy && datedBy !== 'text' && { dateFrom: datedBy }),
    beginning: cut(judgment),
    facts: [
      ...factsOf({ supersedes, amends, amended_by: amendedBy }),
      ...factsOf({
        alternatives: alternatives.map(({ title, why_not }) => [title, why_not].filter(Boolean).join(': ')),
      }),
      ...factsOf({ outcomes: told, ...situation, rationale, consequences, ...others }),
      ...factsOf({ sources: sources.map(({ url, id, title }) => url ?? id ?? title) }),
    ],
  }
}

/** Fields with their names in words. Those without a value are left out. */
function factsOf(fields: Readonly<Record<string, unknown>>): Facts {
  return Object.entries(fields).flatMap(([name, value]) => {
    const values = (Array.isArray(value) ? value : [value]).flatMap(textOf)
    return values.length === 0 ? [] : [[labelOf(name), values.map(cut)]]
  })
}

function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Of an object, such as a source or an entity: its values. */
function textOf(value: unknown): string[] {
  if (value === undefined || value === null || value === '') return []
  if (typeof value !== 'object') return [String(value)]
  const parts = Object.values(value).flatMap((part) => (Array.isArray(part) ? part.flatMap(textOf) : textOf(part)))
  return parts.length === 0 ? [] : [parts.join(', ')]
}

function cut(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}…`
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1)
  return line.length <= 120 ? line : `${line.slice(0, 120)}…`
}
