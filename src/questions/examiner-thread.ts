/** The thread that examines rows (examiner.ts). It comes after everybody else: nobody waits for what it finds. */
import assert from 'node:assert/strict'
import { setPriority } from 'node:os'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { type Examination, examinations } from './examine.ts'

export interface ToExaminer {
  id: number
  what: Examination
  argument: Parameters<(typeof examinations)[Examination]>[0]
}

export interface FromExaminer {
  id: number
  result: ReturnType<(typeof examinations)[Examination]>
}

/** Of 19: it gets what others leave, and a little more. */
const nice = 10

const port = parentPort as MessagePort
assert(port, 'this is a thread, not a program')
// on Linux that is the priority of this thread alone (setpriority(2), C library/kernel differences), elsewhere of the process
if (process.platform === 'linux') setPriority(nice)

port.on('message', ({ id, what, argument }: ToExaminer) => {
  port.postMessage({ id, result: examinations[what](argument as never) } satisfies FromExaminer)
})
