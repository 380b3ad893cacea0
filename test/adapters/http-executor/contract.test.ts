import type { ServerResponse } from 'node:http'
import { expect } from 'vitest'
import { httpExecutor } from '../../../src/adapters/http-executor/executor.ts'
import { systemClock } from '../../../src/adapters/system-clock.ts'
import { executorContract, type Program } from '../../contracts/executor.contract.ts'
import { type Received, startReceiver, webhookSecret } from '../../support/receiver.ts'

executorContract('http', {
  async open(program) {
    const receiver = await startReceiver()
    let printed = 0
    const carryOut = async (response: ServerResponse, { body }: Received) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' }).flushHeaders()
      for await (const bytes of bytesOf(program, body)) {
        await new Promise<void>((flushed) => response.write(bytes, () => flushed()))
        if (response.destroyed) return
        printed += bytes.length
      }
      if (program.ends === 'done') response.end()
      // without the last chunk: what was written before arrives, but the response is not complete
      if (program.ends === 'failed') response.socket?.end()
    }
    receiver.answer(carryOut)
    return {
      executor: httpExecutor({ url: receiver.url, secret: webhookSecret }, systemClock),
      starts: async () => receiver.received.length,
      printed: async () => printed,
      nothingLeft: async () => {
        await expect.poll(() => receiver.sockets.size).toBe(0)
        await receiver.stop()
      },
    }
  },
})

async function* bytesOf({ echoes, prints = [], repeats }: Program, { key, ...document }: Received['body']) {
  if (echoes) yield Buffer.from(`${JSON.stringify({ document, key })}\n`)
  for (const one of prints) yield Buffer.from(one)
  if (repeats === undefined) return
  const line = `${'x'.repeat(repeats.line - 1)}\n`
  for (let times = 0; times < repeats.times; times++) yield Buffer.from(line)
}
