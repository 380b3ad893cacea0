/** Limits the calls at a time. A browser opens six connections to a service, and the other pages need some of them. */
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
