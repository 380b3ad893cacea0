/** One process with some engines on servers and the others embedded, chosen by the URLs that are set. */
import { afterAll, describe, expect, it } from 'vitest'
import { applied, type Caller, call } from '../../support/http.ts'
import { newDataDir, removeData, spawnService, startService } from '../../support/service.ts'

const urls = ['MONGODB_URL', 'REDIS_URL', 'ELASTICSEARCH_URL']
/**
 * The URLs that are set: each alone, and both that make a store of several processes. Other tests run with none and with
 * all of them, so any two are together set, unset, and one without the other.
 */
const combinations: string[][] = [
  ['MONGODB_URL'],
  ['REDIS_URL'],
  ['ELASTICSEARCH_URL'],
  ['MONGODB_URL', 'ELASTICSEARCH_URL'],
]

describe('engines chosen by their urls', () => {
  const dataDirs: string[] = []
  afterAll(() => Promise.all(dataDirs.map(removeData)))

  it.each(combinations.map((set) => [set.join(' and '), set] as const))(
    'a service with %s set keeps its records over a restart',
    async (name, set) => {
      const dataDir = newDataDir()
      dataDirs.push(dataDir)
      const env = Object.fromEntries(urls.filter((url) => !set.includes(url)).map((url) => [url, '']))
      const first = await startService({ dataDir, env })
      const ready = await call<{ problems: string[] }>(first, 'GET', '/readyz')
      expect(ready).toMatchObject({ status: 200, body: { problems: [] } })
      const body = { kind: 'fact', content: `The lighthouse of ${name} burns rapeseed oil.` }
      const made = await applied(first, '/v1/context/memories', 'before-the-restart', body)
      expect(made.state).toBe('applied')
      expect(await found(first)).toEqual([made.entity?.id])
      await second({ dataDir, env }, set)
      expect(await first.stop()).toBe(0)

      const again = await startService({ dataDir, env })
      expect(await found(again)).toEqual([made.entity?.id])
      const more = await applied(again, '/v1/context/memories', 'after-the-restart', { ...body, content: 'Rapeseed!' })
      expect((await found(again)).sort()).toEqual([made.entity?.id, more.entity?.id].sort())
      expect(await again.stop()).toBe(0)
    },
  )
})

/** A second process is refused if the data directory is in use. It may run if the directory holds no data. */
async function second(options: { dataDir: string; env: Record<string, string> }, set: readonly string[]) {
  const beside = await spawnService(options)
  if (set.includes('MONGODB_URL') && set.includes('ELASTICSEARCH_URL')) {
    await beside.ready
    expect(await beside.stop()).toBe(0)
  } else {
    await expect(beside.ready).rejects.toThrow(/Another precedent process is using/)
  }
}

async function found(caller: Caller): Promise<string[]> {
  const { body } = await call<{ items: { source: { id: string } }[] }>(caller, 'POST', '/v1/context/search', {
    q: 'rapeseed',
  })
  return body.items.map(({ source }) => source.id)
}
