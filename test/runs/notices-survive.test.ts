import { pino } from 'pino'
import { beforeEach, expect, it } from 'vitest'
import { load } from '../../config/load.ts'
import { openPorts } from '../../src/engines.ts'
import type { Documents } from '../../src/ports/documents.ts'
import { type Notice, notices } from '../../src/runs/stored/notice.ts'
import { newCertificate } from '../support/certificate.ts'
import { startReceiver, type TestReceiver, webhookSecret } from '../support/receiver.ts'
import { newDataDir, startService, storeOf } from '../support/service.ts'
import { storeNotice } from './stored-notice.ts'

let receiver: TestReceiver
let env: Record<string, string>
let dataDir: string
beforeEach(async () => {
  const certificate = newCertificate()
  receiver = await startReceiver({ tls: certificate })
  env = {
    PRECEDENT_NOTIFY_URL: receiver.url.replace(/\?.*/, ''),
    PRECEDENT_NOTIFY_SECRET: webhookSecret,
    NODE_EXTRA_CA_CERTS: certificate.path,
  }
  dataDir = newDataDir()
})

/** Opens the store while no service runs on it. */
async function inStore<T>(work: (documents: Documents) => Promise<T>): Promise<T> {
  const ports = await openPorts(load(await storeOf(dataDir)), pino({ level: 'silent' }))
  try {
    return await work(ports.documents)
  } finally {
    await ports.queue.close(0)
    await ports.close()
  }
}

it('a notice is sent again under the same id after its process was killed, and does not keep the service from stopping', async () => {
  const { id } = await inStore((documents) => storeNotice(documents))
  receiver.answer(() => {})
  const killed = await startService({ dataDir, env })
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(1)
  await killed.kill()
  // as if the minute had passed for which the dead process had claimed it
  const due = new Date().toISOString()
  expect(await inStore((documents) => documents.update(notices, id, { set: { due } }))).toBe(true)

  const stopped = await startService({ dataDir, env })
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(2)
  expect(await stopped.stop()).toBe(0)

  receiver.answer((response) => response.writeHead(204).end())
  const service = await startService({ dataDir, env })
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(3)
  const metric = 'precedent_notices_total{outcome="delivered"} 1'
  await expect.poll(() => metricsOf(service), { timeout: 60_000 }).toContain(metric)
  await service.stop()

  expect(receiver.received.map((one) => one.id)).toEqual([id, id, id])
  expect(await inStore((documents) => documents.get<Notice>(notices, id))).toBeUndefined()
  const logs = [killed, stopped, service].map((one) => one.log()).join('')
  expect(logs).not.toContain(webhookSecret.slice('whsec_'.length))
  expect(logs).not.toContain('Pay the supplier')
})

async function metricsOf({ url, key }: { url: string; key: string }): Promise<string> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } })
  return response.text()
}
