/** Import of decisions, until every one is in force and found, against a bulk insert of the same texts. */
import { importDecisions } from '../calls.ts'
import { bulkInsert, withService } from '../processes.ts'
import { alternately, type Row, row } from '../row.ts'

const decisions = 10_000
const rounds = 3

/** At 100,000 decisions: the row of search, which needs them anyway (search.ts). */
export async function* imports(): AsyncIterable<Row> {
  const rate = (ms: number) => (decisions / ms) * 1000
  const [ours, theirs] = await alternately(
    rounds,
    () => withService(async (service) => rate(await importDecisions(service, 0, decisions))),
    async () => rate(await bulkInsert(0, decisions)),
  )
  yield row('import_10k', ours, 'decisions/s', null, theirs)
}
