/** The writer thread of a file (threaded.ts). It runs procedures and reports their results. */
import assert from 'node:assert/strict'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { EngineUnavailable, type Trouble } from '../../ports/unavailable.ts'
import { closeDatabase, type Database, type FileSettings, openDatabase } from './base/database.ts'
import { writerOn } from './base/writer.ts'
import { limitPages, runProcedure } from './connection.ts'
import type { Procedure } from './procedures.ts'

export interface ToWriter {
  calls?: [id: number, name: string, args: readonly unknown[]][]
  limitPages?: number
  /** Finish pending calls, close the file and end the thread. */
  close?: true
}

export interface FromWriter {
  /** Sent once: true, or why the file can't be opened. */
  opened?: true | Failure
  done?: [id: number, result: unknown][]
  failed?: [id: number, error: Failure][]
}

export interface Failure {
  /** The engine that is unavailable; undefined: the write itself was wrong. */
  engine?: string
  trouble?: Trouble
  message: string
}

const port = parentPort as MessagePort
assert(port, 'this is a thread, not a program')
const database = opened()
if (database) serve(database)

function opened(): Database | undefined {
  try {
    const made = openDatabase(workerData as FileSettings)
    port.postMessage({ opened: true } satisfies FromWriter)
    return made
  } catch (error) {
    port.postMessage({ opened: failureOf(error) } satisfies FromWriter)
    return undefined
  }
}

function serve(db: Database): void {
  let done: [number, unknown][] = []
  let failed: [number, Failure][] = []
  const writer = writerOn(db, () => {
    port.postMessage({ done, failed } satisfies FromWriter)
    done = []
    failed = []
  })

  function take({ calls = [], limitPages: pages, close }: ToWriter): void {
    if (pages !== undefined) limitPages(db, pages)
    for (const [id, name, args] of calls) {
      writer.add({
        work: (on) => runProcedure(on, name as Procedure, args as never),
        resolve: (result) => done.push([id, result]),
        reject: (error) => failed.push([id, failureOf(error)]),
      })
    }
    if (!close) return
    writer.finish()
    closeDatabase(db)
    port.close()
  }

  port.on('message', (message: ToWriter) => {
    take(message)
    // messages that arrived meanwhile share the transaction
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      take(next.message as ToWriter)
    }
  })
}

function failureOf(error: unknown): Failure {
  if (error instanceof EngineUnavailable) {
    const { engine, trouble, message } = error
    return { engine, trouble, message: message.slice(engine.length + 2) }
  }
  return { message: error instanceof Error ? error.message : String(error) }
}
