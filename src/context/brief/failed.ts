/** Decisions that match the query and failed, for the section "What failed before". */
import type { RecordId } from '../../ids.ts'
import { leadingOutcomes } from '../../records/present/outcomes.ts'
import type { Envelope } from '../../records/record.ts'
import type { Found } from './found.ts'
import { inLine } from './in-line.ts'
import { dayOf } from './lines.ts'
import type { With } from './material.ts'
import type { Page } from './page.ts'
import { summaryOf } from './summary.ts'

export interface Failed {
  record: Envelope
  /** Of the leading outcome; may be empty. */
  notes: string
}

const mostFailed = 5
/** Approximate characters of the notes. */
const noted = 280

/** Includes superseded decisions: their failure may be the reason for the successor. */
export async function failedAmong({ decisions, others, replaced }: Found, context: With): Promise<Failed[]> {
  const found = [...[...decisions, ...others].map(({ record }) => record), ...replaced]
  const records = new Map(found.map((record): [RecordId, Envelope] => [record.record_id, record]))
  const outcomes = await leadingOutcomes([...records.keys()], context.presenting, context.reads.documents)
  return [...records.values()]
    .flatMap((record) => {
      const { outcome_status, outcome_notes = '' } = outcomes.get(record.record_id) ?? {}
      return outcome_status === 'failure' ? [{ record, notes: outcome_notes }] : []
    })
    .slice(0, mostFailed)
}

export function failureLine({ record, notes }: Failed, page: Page): string {
  const happened = notes === '' ? '' : `\n  ${inLine(summaryOf(notes, noted))}`
  return `- **${inLine(record.title)}** (${dayOf(record.valid_from)}) ${page.cite(record)}${happened}`
}
