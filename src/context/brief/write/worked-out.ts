/** How the decisions that were found worked out, for the section "What failed before" and for tasks. */
import type { RecordId } from '../../../ids.ts'
import type { OutcomeStatus } from '../../../records/body.ts'
import { dateTold } from '../../../records/imported.ts'
import { leadingOutcomes } from '../../../records/present/outcomes.ts'
import type { Envelope } from '../../../records/record.ts'
import type { Found, Item, With } from '../find/found.ts'
import { inLine } from '../text/in-line.ts'
import { summaryOf } from '../text/summary.ts'
import { cautionOf, privacyOf } from './lines.ts'
import type { Page } from './page.ts'
import type { Further } from './write.ts'

export interface WorkedOut {
  record: Envelope
  /** Of the leading outcome. */
  status: OutcomeStatus
  /** Of the leading outcome; may be empty. */
  notes: string
}

const mostFailed = 5
/** Approximate characters of the notes. */
const noted = 280

/** Those among these decisions that have an outcome, in their order, each once. */
export async function workedOutAmong(decisions: readonly Envelope[], context: With): Promise<WorkedOut[]> {
  const records = new Map(decisions.map((record): [RecordId, Envelope] => [record.record_id, record]))
  const outcomes = await leadingOutcomes([...records.keys()], context.presenting, context.reads.documents)
  return [...records.values()].flatMap((record) => {
    const { outcome_status: status, outcome_notes: notes = '' } = outcomes.get(record.record_id) ?? {}
    return status === undefined ? [] : [{ record, status, notes }]
  })
}

/**
 * Those that failed, or worked in part. Superseded decisions are included, because their failure may be the reason for the
 * decision that replaced them. Those that are told in one line come last.
 */
export async function failedAmong({ decisions, others, replaced, also }: Found, context: With): Promise<WorkedOut[]> {
  const recordsOf = (items: readonly Item[]) => items.map(({ record }) => record)
  const inOneLine = also.filter(({ kind }) => kind === 'decision')
  const found = [...recordsOf([...decisions, ...others]), ...replaced, ...recordsOf(inOneLine)]
  return (await workedOutAmong(found, context)).filter(({ status }) => status in cautionOf).slice(0, mostFailed)
}

export function failedSection(failed: readonly WorkedOut[]): Further {
  const factOf = ({ status }: WorkedOut) => (status === 'failure' ? '' : cautionOf[status])
  return { heading: 'What failed before', lines: (page) => failed.map((one) => workedOutLine(one, page, factOf(one))) }
}

/** `fact`: further words beside the day. */
export function workedOutLine({ record, notes }: WorkedOut, page: Page, fact = ''): string {
  const happened = notes === '' ? '' : `\n  ${inLine(summaryOf(notes, noted))}`
  const facts = [dateTold(record), ...privacyOf(record), fact].filter(Boolean).join(', ')
  return `- **${inLine(record.title)}** (${facts}) ${page.cite(record)}${happened}`
}
