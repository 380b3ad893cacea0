/** What is wrong with the Elasticsearch that keeps the indexes, and with these. */
import { type EngineUnavailable, faultIn } from '../../ports/unavailable.ts'
import { deadlineIn, type Elastic } from './connection.ts'
import { aliasName, everyIndex } from './definition.ts'
import { unavailable } from './failure.ts'

/** ms. Readiness is asked for again and again. */
const answersWithin = 3_000
const namesShown = 3

/** undefined: well. `missed`: names of indexes that were asked for in vain. */
export async function faultOf(
  elastic: Elastic,
  prefix: string,
  missed: readonly string[],
): Promise<EngineUnavailable | undefined> {
  try {
    return (
      (await redIndexes(elastic, prefix)) ??
      (await readOnly(elastic, prefix)) ??
      (await stillMissing(elastic, prefix, missed))
    )
  } catch (error) {
    return faultIn('elasticsearch', error)
  }
}

async function redIndexes({ client, ask }: Elastic, prefix: string): Promise<EngineUnavailable | undefined> {
  const { indices } = await ask(
    (how) =>
      client.cluster.health({ index: everyIndex(prefix), level: 'indices', timeout: '1s', master_timeout: '2s' }, how),
    deadlineIn(answersWithin),
  )
  const red = Object.entries(indices ?? {}).flatMap(([name, { status }]) =>
    status.toLowerCase() === 'red' ? [name] : [],
  )
  return red.length === 0 ? undefined : unavailable(`red, a primary shard is not there: ${listed(red)}`, 'shard_lost')
}

async function readOnly({ client, ask }: Elastic, prefix: string): Promise<EngineUnavailable | undefined> {
  const deadline = deadlineIn(answersWithin)
  const ofCluster = await ask(
    (how) => client.cluster.getSettings({ flat_settings: true, filter_path: '*.cluster.blocks*' }, how),
    deadline,
  )
  const cluster = Object.assign({}, ...Object.values(ofCluster)) as Record<string, unknown>
  if (Object.values(cluster).some(isOn)) {
    return unavailable(`read-only, the cluster has ${Object.keys(cluster).join(' and ')}`, 'read_only')
  }
  const ofIndexes = await ask(
    (how) =>
      client.indices.getSettings({ index: everyIndex(prefix), name: 'index.blocks.*', flat_settings: true }, how),
    deadline,
  )
  const blocked = new Map<string, string>()
  for (const [name, { settings }] of Object.entries(ofIndexes)) {
    for (const [block, value] of Object.entries(settings ?? {})) if (isOn(value)) blocked.set(name, block)
  }
  if (blocked.size === 0) return undefined
  const isFull = [...blocked.values()].includes('index.blocks.read_only_allow_delete')
  const why = isFull ? 'the disk is as good as full (flood stage)' : [...new Set(blocked.values())].join(', ')
  return unavailable(`read-only, ${why}: ${listed([...blocked.keys()])}`, isFull ? 'full' : 'read_only')
}

function isOn(value: unknown): boolean {
  return value === true || value === 'true'
}

async function stillMissing({ client, ask }: Elastic, prefix: string, missed: readonly string[]) {
  const missing: string[] = []
  for (const name of missed) {
    const there = await ask(
      (how) => client.indices.existsAlias({ name: aliasName(prefix, name) }, how),
      deadlineIn(answersWithin),
    )
    if (!there) missing.push(name)
  }
  return missing.length === 0 ? undefined : unavailable(`index missing: ${listed(missing)}`, 'index_lost')
}

function listed(names: readonly string[]): string {
  const more = names.length - namesShown
  return names.slice(0, namesShown).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
