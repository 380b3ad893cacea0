/** The decisions of a brief as data, in addition to the Markdown. */
import { titleWithStatus, urlField } from '../../records/present/present.ts'
import { cut } from '../../records/title.ts'
import type { Material, With } from './material.ts'
import type { Page } from './page.ts'

const longestText = 1_000

/** In the order of the Markdown. Includes decisions not in force; see their status. */
export function briefDecisions({ used, bodies, claims }: Material, page: Page, { presenting }: With) {
  return used
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
