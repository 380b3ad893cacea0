/** The import of this tab. It goes on while the reader looks at other pages of the console. */
import { useEffect, useReducer } from 'preact/hooks'
import type { FromThread, ToThread, WhatWasFound } from '../import-thread/messages.ts'
import { useSurroundings } from '../parts/context.ts'
import type { Chosen } from './chosen.ts'

export type Ended = Extract<FromThread, { type: 'ended' }>

export type State =
  | { step: 'choose'; refusal?: string }
  | { step: 'reading'; files: number; of: number }
  /** `refusal`: why the last import failed. `isStopped`: the reader stopped the last import. */
  | { step: 'found'; what: WhatWasFound; refusal?: string; isStopped?: boolean }
  | { step: 'importing'; what: WhatWasFound; done: number; of: number; beside: string; retrying?: string }
  | { step: 'ended'; what: WhatWasFound; ended: Ended }

interface Session {
  state: State
  chosen?: { files: Chosen; source: string }
  thread?: Worker
}

let session: Session = { state: { step: 'choose' } }
const listeners = new Set<() => void>()

export interface Importing {
  state: State
  chosen: Session['chosen']
  /** Reads them, and shows what would be imported. */
  read(files: Chosen, source: string): void
  /** Imports what was read. */
  send(): void
  /** Stops the reading or the import. What was sent stays. */
  stop(): void
  /** Back to the beginning. */
  choose(refusal?: string): void
}

export function useImport(): Importing {
  const { root, apiKey, threads } = useSurroundings()
  const [, draw] = useReducer((turn: number) => turn + 1, 0)
  useEffect(() => {
    listeners.add(draw as () => void)
    return () => void listeners.delete(draw as () => void)
  }, [])
  const read = (files: Chosen, source: string, isStopped = false) => {
    session.thread?.terminate()
    const thread = new Worker(threads.import, { type: 'module' })
    session = { state: { step: 'reading', files: 0, of: files.files.length }, chosen: { files, source }, thread }
    thread.onmessage = ({ data }: MessageEvent<FromThread>) => {
      // it was sent before the thread was ended, and comes late
      if (session.thread !== thread) return
      show(stateAfter(session.state, data, isStopped))
      if (data.type === 'ended') thread.terminate()
    }
    thread.onerror = () =>
      show({ step: 'choose', refusal: 'What reads the files could not be loaded. Load this page again.' })
    ask(thread, { type: 'read', ...files, source, translator: new URL(threads.translate, location.href).href })
    show(session.state)
  }
  return {
    state: session.state,
    chosen: session.chosen,
    read,
    send() {
      const { state, thread } = session
      if (state.step !== 'found' || thread === undefined) return
      show({ step: 'importing', what: state.what, done: 0, of: 0, beside: '' })
      ask(thread, { type: 'import', url: new URL(root, location.href).href.replace(/\/$/, ''), key: apiKey })
    },
    stop() {
      const { state, chosen } = session
      if (state.step === 'importing' && chosen) read(chosen.files, chosen.source, true)
      else forgetImport()
    },
    choose(refusal) {
      forgetImport()
      if (refusal !== undefined) show({ step: 'choose', refusal })
    },
  }
}

/** Ends the thread too: another reader may use the tab. */
export function forgetImport(): void {
  show({ step: 'choose' })
}

function ask(thread: Worker, message: ToThread): void {
  thread.postMessage(message)
}

function show(state: State): void {
  if (state.step === 'choose') session.thread?.terminate()
  session = state.step === 'choose' ? { state } : { ...session, state }
  removeEventListener('beforeunload', askBeforeLeaving)
  if (state.step === 'importing') addEventListener('beforeunload', askBeforeLeaving)
  for (const draw of listeners) draw()
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

function stateAfter(state: State, message: FromThread, isStopped: boolean): State {
  switch (message.type) {
    case 'reading':
      return { step: 'reading', files: message.files, of: message.of }
    case 'found':
      return { step: 'found', what: message, ...(isStopped && { isStopped }) }
    case 'failed':
      return 'what' in state
        ? { step: 'found', what: state.what, refusal: told(message) }
        : { step: 'choose', refusal: told(message) }
    case 'progress':
      return state.step === 'importing' ? { ...without(state), ...message, step: 'importing' } : state
    case 'retrying':
      return state.step === 'importing' ? { ...state, retrying: message.reason } : state
    case 'ended':
      return 'what' in state ? { step: 'ended', what: state.what, ended: message } : state
  }
}

function without({ what, done, of, beside }: Extract<State, { step: 'importing' }>) {
  return { what, done, of, beside }
}

function told({ message, sent }: Extract<FromThread, { type: 'failed' }>): string {
  if (sent === undefined) return message
  return `${message} ${sent.toLocaleString()} records were sent. Import again to continue: nothing is recorded twice.`
}
