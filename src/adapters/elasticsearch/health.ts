/** Finds problems of Elasticsearch and of our indexes. */
import { type EngineUnavailable, faultIn } from '../../ports/unavailable.ts'
import { deadlineIn, type Elastic } from './connection.ts'
import { aliasName, everyIndex, type Names } from './definition.ts'
import { unavailable } from './failure.ts'

/** ms. Short, because readiness is polled. */
const answersWithin = 3_000
const namesShown = 3

/** Undefined if there is no problem. `missed`: names of indexes that calls did not find. */
export async function faultOf(
  elastic: Elastic,
  names: Names,
  missed: readonly string[],
): Promise<EngineUnavailable | undefined> {
  const { prefix } = names
  try {
    return (
      (await redIndexes(elastic, prefix)) ??
      (await readOnly(elastic, prefix)) ??
      (await stillMissing(elastic, names, missed))
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
  return red.length === 0
    ? undefined
    : unavailable(`health is red, a primary shard is missing: ${listed(red)}`, 'shard_lost')
}

async function readOnly({ client, ask }: Elastic, prefix: string): Promise<EngineUnavailable | undefined> {
  const deadline = deadlineIn(answersWithin)
  const ofCluster = await ask(
    (how) => client.cluster.getSettings({ flat_settings: true, filter_path: '*.cluster.blocks*' }, how),
    deadline,
  )
  const cluster = Object.assign({}, ...Object.values(ofCluster)) as Record<string, unknown>
  if (Object.values(cluster).some(isOn)) {
    return unavailable(`read-only, the cluster setting ${Object.keys(cluster).join(' and ')} is on`, 'read_only')
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
  const why = isFull ? 'the disk is almost full (flood stage)' : [...new Set(blocked.values())].join(', ')
  return unavailable(`read-only, ${why}: ${listed([...blocked.keys()])}`, isFull ? 'full' : 'read_only')
}

function isOn(value: unknown): boolean {
  return value === true || value === 'true'
}

async function stillMissing({ client, ask }: Elastic, names: Names, missed: readonly string[]) {
  const missing: string[] = []
  for (const name of missed) {
    const there = await ask(
      (how) => client.indices.existsAlias({ name: aliasName(names, name) }, how),
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
