/** Makes the row of a new memory. */
import type { DecideContext, NewRow } from '../operation.ts'
import type { MemoryBody } from '../records/body.ts'
import type { Audience } from '../records/ids.ts'
import { newRow } from '../records/new-row.ts'
import { titleFrom } from '../records/title.ts'

export interface NewMemory extends Pick<NewRow, 'sources' | 'topics' | 'content_hash'> {
  text: string
  /** Default: made from the text. */
  title?: string | undefined
  /** Default: the instant of acceptance. */
  valid_from?: string | undefined
  audience: Audience
  body: MemoryBody
}

export function memoryRow<Input>(
  context: DecideContext<Input>,
  { text, title, valid_from, audience, sources, topics, content_hash, body }: NewMemory,
): NewRow {
  return newRow(context, {
    record_id: context.newId(),
    kind: 'memory',
    audience,
    feed: 'knowledge',
    title: title ?? titleFrom(text),
    text,
    ...(valid_from === undefined ? {} : { valid_from }),
    sources,
    topics,
    content_hash,
    body,
  })
}
