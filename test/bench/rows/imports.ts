/** Measures an import until all decisions are applied. The baseline is a bulk insert of the same texts. */
import { importDecisions } from '../calls.ts'
import { bulkInsert, withService } from '../processes.ts'
import { alternately, type Row, row } from '../row.ts'

const decisions = 10_000
const rounds = 3

/** search.ts measures an import of 100,000 decisions, because it needs them anyway. */
export async function* imports(): AsyncIterable<Row> {
  const rate = (ms: number) => (decisions / ms) * 1000
  const [ours, theirs] = await alternately(
    rounds,
    () => withService(async (service) => rate(await importDecisions(service, 0, decisions))),
    async () => rate(await bulkInsert(0, decisions)),
  )
  yield row('import_10k', ours, 'decisions/s', null, theirs)
}
