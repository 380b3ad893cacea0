/**
 * `npm run fixture-store`: writes a store with this version, and saves it with what this version answers, for the tests
 * of all later versions (test/flows/upgrade.test.ts). An existing fixture is never changed: remove its folder first.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withServers } from '../bench/servers.ts'
import { type Profile, scaledEngines } from '../support/profile.ts'
import { repository } from '../support/repository.ts'
import { answerTo, leaveOpen, readsOf, settled, writeContent } from './content.ts'
import { fixtures, loadStore, saveStore, writeRecorded } from './files.ts'
import { openStore } from './service.ts'

const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { version: string }
if (existsSync(join(fixtures, version))) {
  throw new Error(`${join(fixtures, version)} exists. Raise the version in package.json, or remove the folder.`)
}

await write('embedded', (name) => ({ PRECEDENT_PREFIX: name }))
await withServers(scaledEngines, ({ mongodb, redis, elasticsearch }) =>
  write('scaled', (name) => ({
    MONGODB_URL: `${mongodb}/${name}`,
    REDIS_URL: redis,
    ELASTICSEARCH_URL: elasticsearch,
    PRECEDENT_PREFIX: name,
  })),
)
process.exit(0)

async function write(profile: Profile, engines: (name: string) => Record<string, string>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'precedent-store-'))
  const place = (name: string) => ({ env: { ...engines(name), PRECEDENT_DATA_DIR: mkdtempSync(join(folder, name)) } })
  try {
    const written = place('written')
    const working = await openStore(written.env, Date.now())
    const content = await writeContent(working.url)
    await working.stop()
    const waiting = await openStore(written.env, Date.now(), false)
    await leaveOpen(waiting.url, waiting.documents, content)
    await waiting.stop()
    await saveStore(version, profile, written)
    const copy = place('copy')
    await loadStore(version, profile, copy)
    const now = Date.now()
    const answering = await openStore(copy.env, now)
    const made = await settled(answering, content)
    const answers = []
    for (const read of readsOf(content)) {
      const { status, body } = await answerTo(answering.url, read, made)
      answers.push({ ...read, status, answer: body })
    }
    await answering.stop()
    writeRecorded(version, profile, { now, content, answers })
    console.log(`${profile}: ${answers.length} answers`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
