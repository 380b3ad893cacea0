/** A judge by any endpoint with the chat API of OpenAI: Ollama, vLLM, llama.cpp and hosted services (src/ports/judge.ts). */
import { createHash } from 'node:crypto'
import { type Judge, type JudgedPair, JudgeUnavailable, type JudgeVerdict } from '../../ports/judge.ts'
import { discard, endpointAt, refusing } from './endpoint.ts'
import { instructions, questionOf, verdictIn } from './verdict.ts'

export interface JudgeSettings {
  /** The base URL, mostly ending in /v1. `/chat/completions` is appended to it. */
  url: string
  model: string
  apiKey: string | undefined
}

/** Bytes of a response. A verdict needs less than 4 kB; the rest is for models that first write what they think. */
const longestAnswer = 256 * 1024

/** Not every endpoint knows these. They make answers repeatable and easier to read, but nothing depends on them. */
const preferred = { temperature: 0, response_format: { type: 'json_object' } }

export function openaiJudge({ url, model, apiKey }: JudgeSettings): Judge {
  const endpoint = endpointAt({ url, path: '/chat/completions', apiKey }, JudgeUnavailable)
  let knowsPreferred = true

  function ask(pair: JudgedPair, signal: AbortSignal, more: object): Promise<Response> {
    const messages = [
      { role: 'system', content: instructions },
      { role: 'user', content: questionOf(pair) },
    ]
    return endpoint.post({ model, messages, stream: false, ...more }, signal)
  }

  async function verdictOn(pair: JudgedPair, signal: AbortSignal): Promise<JudgeVerdict | undefined> {
    let answer = await ask(pair, signal, knowsPreferred ? preferred : {})
    if (knowsPreferred && refusing.includes(answer.status)) {
      await discard(answer)
      answer = await ask(pair, signal, {})
      if (answer.ok) knowsPreferred = false
    }
    if (refusing.includes(answer.status)) {
      await discard(answer)
      return undefined
    }
    if (!answer.ok) throw await endpoint.refusalOf(answer)
    return verdictIn(await endpoint.textOf(answer, longestAnswer, signal), pair)
  }

  return {
    name: `${model}+${createHash('sha256').update(instructions).digest('hex').slice(0, 12)}`,
    async judge(pairs, signal) {
      const ending = new AbortController()
      const end = () => ending.abort()
      signal.addEventListener('abort', end)
      try {
        if (signal.aborted) end()
        return await Promise.all(pairs.map((pair) => verdictOn(pair, ending.signal)))
      } finally {
        // after a failure, nobody reads the answers on the other pairs
        end()
        signal.removeEventListener('abort', end)
      }
    },
  }
}
