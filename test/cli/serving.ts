/** Starts a service for the tests of one file, and reads its records. */
import { afterAll, beforeAll, expect } from 'vitest'
import type { DecisionGetOutput } from '../../src/decisions/schema.ts'
import { call } from '../support/http.ts'
import { removeData, type Started, startService } from '../support/service.ts'
import { type Caller, folderOfTest, run } from './run.ts'

export const onlyAnId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\n$/

export interface Serving {
  service: Started
  caller: Caller
  memory(id: string): Promise<Awaited<ReturnType<typeof call>>['body']>
  decision(id: string): Promise<DecisionGetOutput>
  /** Runs a write command and returns the id of the record. */
  written(...args: string[]): Promise<string>
}

/** The service starts before the tests of the file, and is removed after them. */
export function serving(): Serving {
  const made = {} as Pick<Serving, 'service' | 'caller'>
  beforeAll(async () => {
    made.service = await startService()
    made.caller = { url: made.service.url, key: made.service.key, state: folderOfTest() }
  })
  afterAll(async () => {
    await made.service.stop()
    await removeData(made.service.dataDir)
  })
  return Object.assign(made, {
    async memory(id: string) {
      return (await call(made.service, 'GET', `/v1/context/memories/${id.trim()}`)).body
    },
    async decision(id: string) {
      return (await call<DecisionGetOutput>(made.service, 'GET', `/v1/decisions/${id.trim()}`)).body
    },
    async written(...args: string[]) {
      const { code, stdout, stderr } = await run(made.caller, ...args)
      expect(code, stderr).toBe(0)
      expect(stdout).toMatch(onlyAnId)
      return stdout.trim()
    },
  })
}
