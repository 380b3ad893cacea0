/** A stream whose events the test decides. */
import { z } from 'zod'
import { read, stream } from '../../../src/http/base/route.ts'
import { defineEventStream, defineQuery, type StreamEvent } from '../../../src/operation.ts'
import { problem } from '../../../src/problem.ts'
import { text, uuid } from '../../../src/validation/schema.ts'

const input = z.strictObject({
  id: uuid,
  last_event_id: text(1, 20).exactOptional().describe('The event after which to begin.'),
})
type Input = z.infer<typeof input>

/** The open sources, and how the next one behaves. */
export const source = {
  /** Sources that were opened and have not ended. */
  open: 0,
  /** How many events were requested. */
  asked: 0,
  opened: [] as Input[],
  /** The events of the next source. Left out: one event, and then nothing until the end. */
  events: undefined as ((signal: AbortSignal) => AsyncIterable<StreamEvent>) | undefined,
  /** Runs while a source is opened. */
  opening: undefined as (() => Promise<void>) | undefined,
  reset() {
    this.asked = 0
    this.opened = []
    this.events = undefined
    this.opening = undefined
  },
}

export async function* hello(signal: AbortSignal): AsyncGenerator<StreamEvent> {
  yield { event: 'hello', id: '1', data: { text: 'two\nlines' } }
  await ended(signal)
}

export function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

async function* counted(events: AsyncIterable<StreamEvent>) {
  source.open += 1
  try {
    for await (const event of events) {
      source.asked += 1
      yield event
    }
  } finally {
    source.open -= 1
  }
}

const noteEvents = defineEventStream<Input>({
  name: 'note.events',
  scope: 'context:read',
  summary: 'What happens to a note.',
  input,
  async open({ input, signal }) {
    source.opened.push(input)
    await source.opening?.()
    if (input.last_event_id === 'last') return undefined
    if (input.id.endsWith('dead')) throw problem('not_found', 'There is no note with this id.')
    return counted((source.events ?? hello)(signal))
  },
})

const notePage = defineQuery<Input, { page: true }>({
  name: 'note.page',
  scope: 'context:read',
  summary: 'What has happened to a note.',
  input,
  output: z.strictObject({ page: z.literal(true) }),
  run: async () => ({ page: true }),
})

export const subscribe = [
  read('GET', '/api/notes/:id/subscribe', notePage),
  stream('/api/notes/:id/subscribe', noteEvents),
  stream('/api/notes/:id/events', noteEvents),
]
