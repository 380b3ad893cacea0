/** Leaves connections to the pages: a browser has six to a service, and a call may wait long for its answer. */
import type { Call, Client } from '../../cli/client/client.ts'

const mostAtOnce = 4

export function fewAtOnce(client: Client): Client {
  let calls = 0
  const waiting: (() => void)[] = []
  return {
    async call<Answer>(call: Call) {
      while (calls >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
      calls += 1
      try {
        return await client.call<Answer>(call)
      } finally {
        calls -= 1
        waiting.shift()?.()
      }
    },
  }
}
