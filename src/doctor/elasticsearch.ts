/** Checks Elasticsearch: it answers, all shards are assigned, and the client supports its version. */
import { Client } from '@elastic/elasticsearch'
import { type Finding, note, ok, unavailableFinding, wrong } from './finding.ts'

const what = 'ELASTICSEARCH_URL'
/** ms. */
const answersWithin = 5_000
/** The scores of named clauses came with 8.8; searches read word frequencies from them. */
const oldest = { major: 8, minor: 8 }
const newestMajor = 9

export interface Settings {
  url: string
  apiKey: string | undefined
}

export async function* examineElasticsearch({ url, apiKey }: Settings): AsyncGenerator<Finding> {
  const client = new Client({
    node: url,
    ...(apiKey === undefined ? {} : { auth: { apiKey } }),
    maxRetries: 0,
    requestTimeout: answersWithin,
  })
  try {
    const { status, number_of_nodes, unassigned_shards } = await client.cluster.health()
    yield healthOf(String(status), number_of_nodes, unassigned_shards)
    yield await versionOf(client)
  } catch (error) {
    yield unavailableFinding(
      what,
      error,
      'Start it, or correct the URL and the key. Until then, writes wait, and searches are answered with 503.',
    )
  } finally {
    await client.close()
  }
}

function healthOf(status: string, nodes: number, unassigned: number): Finding {
  const found = `its health is ${status.toLowerCase()} (nodes: ${nodes}, unassigned shards: ${unassigned})`
  if (status.toLowerCase() === 'green') return ok(what, found)
  if (status.toLowerCase() === 'yellow') {
    return note(what, found, 'Run two or more nodes. With one node, a lost index must be rebuilt.')
  }
  return wrong(
    what,
    found,
    'See GET _cluster/allocation/explain. If an index is lost, rebuild it with `precedent reindex`.',
  )
}

async function versionOf(client: Client): Promise<Finding> {
  const { nodes } = await client.nodes.info({ metric: 'os' })
  const found = [...new Set(Object.values(nodes).map(({ version }) => version))]
  const unsupported = found.find((version) => !isSupported(version))
  if (unsupported === undefined) return ok(what, `Elasticsearch ${found.join(', ')} answers`)
  return wrong(
    what,
    `Elasticsearch ${unsupported} is not supported`,
    `Run Elasticsearch ${oldest.major}.${oldest.minor} or newer, up to ${newestMajor}.x.`,
  )
}

export function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major === oldest.major ? minor >= oldest.minor : major > oldest.major && major <= newestMajor
}
