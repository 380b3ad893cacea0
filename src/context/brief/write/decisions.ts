/** The decisions of a brief as data, in addition to the Markdown. */
import { titleWithStatus, urlField } from '../../../records/present/present.ts'
import { cut } from '../../../records/title.ts'
import type { Material } from '../choose/material.ts'
import type { With } from '../find/found.ts'
import type { Page } from './page.ts'

const longestText = 1_000

/**
 * Those told in sections of their own, in the order of the Markdown. Includes decisions not in force; see their status.
 * A decision told in one line beside others is only in the citations.
 */
export function briefDecisions({ first, bodies, claims }: Material, page: Page, { presenting }: With) {
  return [...first]
    .filter(({ kind }) => kind === 'decision')
    .map(({ record, match }) => {
      const { judgment = '', rationale = null, decided_by = [] } = bodies.get(record.id) ?? {}
      const superseded_claims = claims.get(record.id) ?? []
      return {
        id: record.record_id,
        title: titleWithStatus(record),
        judgment: cut(judgment, longestText),
        ...(rationale === null ? {} : { rationale: cut(rationale, longestText) }),
        decided_at: record.valid_from,
        decided_by,
        status: record.status,
        ...(record.category === null ? {} : { category: record.category }),
        ...(record.significance === null ? {} : { significance: record.significance }),
        ...urlField(record, presenting.publicUrl),
        ...(superseded_claims.length === 0 ? {} : { superseded_claims }),
        ...(match === null ? {} : { score: match }),
        citation: page.numberOf(record),
      }
    })
}
