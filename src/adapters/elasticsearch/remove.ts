/** Deletes documents up to a version. */
import { deadlineIn, type Elastic } from './connection.ts'
import { failureOfRefusal, refusalOf } from './failure.ts'

/** ms for both requests. */
const answersWithin = 10_000
/** Another worker has deleted the document, or has stored a newer version, which stays. */
const conflict = 409

/**
 * A document that has changed since it was read is not deleted. The deletion does not name one of our versions
 * (version_type external), because Elasticsearch would then create the index if it is lost.
 */
export async function removeDocuments(
  { client, ask }: Elastic,
  index: string,
  workspace: string,
  ids: readonly string[],
  version: number,
): Promise<void> {
  const deadline = deadlineIn(answersWithin)
  const wanted = ids.map((_id) => ({ _id, routing: workspace, _source: false }))
  const read = await ask((how) => client.mget({ index, docs: wanted }, how), deadline)
  const operations = read.docs.flatMap((found) => {
    // the index is missing
    if ('error' in found) throw failureOfRefusal(refusalOf(404, found.error))
    const { _id, _version = 0, _seq_no, _primary_term } = found
    if (!found.found || _version > version) return []
    return [{ delete: { _id, routing: workspace, if_seq_no: _seq_no, if_primary_term: _primary_term } }]
  })
  if (operations.length === 0) return
  const { errors, items } = await ask((how) => client.bulk({ index, operations }, how), deadline)
  if (!errors) return
  for (const { delete: item } of items) {
    if (item?.error !== undefined && item.status !== conflict)
      throw failureOfRefusal(refusalOf(item.status, item.error))
  }
}
