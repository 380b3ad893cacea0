/** Elasticsearch: that it answers, in a version the client speaks, with all its shards. */
import { Client } from '@elastic/elasticsearch'
import { awayFinding, type Finding, note, ok, wrong } from './finding.ts'

const what = 'ELASTICSEARCH_URL'
const answersWithin = 5_000
const versions = ['8', '9']

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
    yield awayFinding(
      what,
      error,
      'Start it, or correct the URL and the key. Until then writes wait, and `q` is answered 503.',
    )
  } finally {
    await client.close()
  }
}

function healthOf(status: string, nodes: number, unassigned: number): Finding {
  const found = `its health is ${status.toLowerCase()}: ${nodes} nodes, ${unassigned} shards unassigned`
  if (status.toLowerCase() === 'green') return ok(what, found)
  if (status.toLowerCase() === 'yellow') {
    return note(what, found, 'Run two nodes or more: what one holds alone has to be rebuilt where it is lost.')
  }
  return wrong(
    what,
    found,
    'Look at GET _cluster/allocation/explain: an index that is lost is rebuilt by `precedent reindex`.',
  )
}

async function versionOf(client: Client): Promise<Finding> {
  const { nodes } = await client.nodes.info({ metric: 'os' })
  const known = [...new Set(Object.values(nodes).map(({ version }) => version))]
  const strange = known.find((version) => !versions.includes(version.split('.')[0] ?? ''))
  if (strange === undefined) return ok(what, `Elasticsearch ${known.join(', ')}`)
  return wrong(what, `Elasticsearch ${strange} is none that the service speaks`, 'Run Elasticsearch 8 or 9.')
}
