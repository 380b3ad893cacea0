/** POST /hooks/git/<name>: a host of repositories tells that something was pushed, and proves that it knows the secret. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../ports/clock.ts'
import { requestFetch } from '../stored/fetch-request.ts'
import { nameKey } from '../stored/repository.ts'
import type { CodeReads } from '../stored/store.ts'

export interface HookCall {
  name: string
  /** Signatures of the body: SHA-256, hexadecimal. */
  signatures: readonly string[]
  /** The secret itself. */
  token: string | undefined
  body: Uint8Array
  trace: string
}

/** So that an unknown name takes as long as a wrong signature. */
const noSecret = randomBytes(32).toString('hex')

/** false: no repository of this name has this secret. Callers must not learn more. */
export async function hookCalled(code: CodeReads | undefined, call: HookCall, clock: Clock): Promise<boolean> {
  const named = (code?.connected ?? []).filter(
    ({ name, hookSecret }) => hookSecret !== undefined && nameKey(name) === nameKey(call.name),
  )
  if (code === undefined || named.length === 0) {
    isProven(noSecret, call)
    return false
  }
  // two workspaces may have a repository of the same name
  const proven = named.filter(({ hookSecret }) => isProven(hookSecret as string, call))
  if (proven.length === 0) return false
  const { documents } = await code.open()
  for (const { id } of proven) await requestFetch(id, call.trace, { documents, clock })
  return true
}

function isProven(secret: string, { signatures, token, body }: HookCall): boolean {
  const expected = createHmac('sha256', secret).update(body).digest()
  const isSigned = signatures.map((one) => isSame(expected, Buffer.from(one, 'hex')))
  return isSame(digestOf(secret), digestOf(token ?? '')) || isSigned.includes(true)
}

const digestOf = (text: string) => createHash('sha256').update(text).digest()

function isSame(expected: Buffer, given: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(expected, given)
}
