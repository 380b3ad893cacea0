/** Finds the texts of a record that may contain its date. */
import type { AdrDocument } from '../document/document.ts'
import { plainText } from '../document/markdown.ts'
import { isPlaceholder } from '../document/placeholder.ts'
import { changelogDates, datesAlone } from './changelog.ts'
import type { Field } from './field-line.ts'
import type { Status } from './status.ts'
import { statusDates, withoutEnd } from './status-dates.ts'

export interface WrittenDate {
  text: string
  line: number
  /** The text is the first entry of a changelog. This is the last one. */
  lastEntry?: string
  /** Of the last change of the text: any other date is better. */
  isChange?: true
}

/** The most likely first. */
export function writtenDates(
  document: AdrDocument,
  fields: readonly Field[],
  status: Status | undefined,
): WrittenDate[] {
  const of = (kind: Field['kind']) => fields.filter((field) => field.kind === kind)
  const dates = [
    ...withoutEnd(ownFirst(of('date'), fields), fields),
    ...statusDates(fields, status),
    ...of('date_created'),
    ...changelogDates(document),
    ...of('date_changed'),
    ...datesAlone(document),
  ]
  return dates
    .filter(({ source }) => !isPlaceholder(source))
    .map((field) => ({
      text: plainText(field.source.replace(/^\{(.*)\}$/s, '$1')),
      line: field.line,
      ...('lastEntry' in field && { lastEntry: field.lastEntry }),
      ...('kind' in field && field.kind === 'date_changed' ? { isChange: true as const } : {}),
    }))
}

/** If only the text states a status, the date in the front matter is that of a page of a web site. */
function ownFirst(dates: readonly Field[], fields: readonly Field[]): Field[] {
  const isOfPage = ({ from }: Field) => from === 'front matter'
  const statuses = fields.filter(({ kind }) => kind === 'status')
  if (statuses.length === 0 || statuses.some(isOfPage)) return [...dates]
  return [...dates.filter((one) => !isOfPage(one)), ...dates.filter(isOfPage)]
}
