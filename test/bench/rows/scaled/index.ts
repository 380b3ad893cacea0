/** Measures indexing by our search port. The baseline is a plain bulk request with the same texts. */
import { Client } from '@elastic/elasticsearch'
import { elasticsearchSearch } from '../../../../src/adapters/elasticsearch/search.ts'
import type { RecordId, WorkspaceId } from '../../../../src/ids.ts'
import type { SearchDocument } from '../../../../src/ports/search.ts'
import { tokensInPieces } from '../../../../src/text/analyzer.ts'
import { alternately, type Row, row } from '../../row.ts'
import { memoryText } from '../../texts.ts'

const documents = 5_000
const atOnce = 500
const rounds = 3
const workspace = 'workspace' as WorkspaceId

export async function* indexRows(url: string): AsyncIterable<Row> {
  const engine = elasticsearchSearch({ url, prefix: 'bench' })
  const client = new Client({ node: url })
  await engine.create('live')
  // like our own index: one shard, refreshed on request
  await client.indices.create({
    index: 'plain',
    settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' },
  })
  const rateOf = async (store: (first: number) => Promise<unknown>, round: number) => {
    const began = performance.now()
    for (let at = 0; at < documents; at += atOnce) await store(round * documents + at)
    return (documents / (performance.now() - began)) * 1000
  }
  const ours = async (first: number) => {
    await engine.upsert('live', numbers(first).map(documentOf))
    await engine.refresh('live', workspace, { epoch: 'epoch', sequence: first + atOnce })
  }
  const theirs = async (first: number) => {
    const operations = numbers(first).flatMap((n) => [
      { index: { _index: 'plain', _id: `plain-${n}` } },
      { workspace, title: memoryText(n).slice(0, 80), text: memoryText(n) },
    ])
    await client.bulk({ operations })
    await client.indices.refresh({ index: 'plain' })
  }
  try {
    await rateOf(ours, 0)
    await rateOf(theirs, 0)
    const [measured, baseline] = await alternately(
      rounds,
      (round) => rateOf(ours, round + 1),
      (round) => rateOf(theirs, round + 1),
    )
    yield row('scaled_index', measured, 'documents/s', null, baseline)
  } finally {
    await engine.close()
    await client.close()
  }
}

function numbers(first: number): number[] {
  return Array.from({ length: atOnce }, (_, n) => first + n)
}

function documentOf(n: number): SearchDocument {
  const text = memoryText(n)
  return {
    id: `memory-${n}`,
    record_id: `memory-${n}` as RecordId,
    workspace,
    version: n + 1,
    kind: 'memory',
    audience: 'workspace',
    title: text.slice(0, 80),
    // the cost of the analyzer is part of the cost of indexing
    tokens: [...tokensInPieces({ title: text.slice(0, 80), topics: [], text })].flat(),
    valid_from: '2024-01-01T00:00:00.000Z',
    valid_to: null,
    status: null,
    category: null,
    significance: null,
    surface: null,
    entity_types: [],
    tags: [],
  }
}
