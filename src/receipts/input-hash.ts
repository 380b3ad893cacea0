/** The hash that detects a repeated call with the same idempotency key (PROTOCOL 6). */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { z } from 'zod'
import type { WorkspaceType } from '../access/actor.ts'
import type { Operation } from '../operation.ts'
import { canonicalJson } from '../text/canonical.ts'

export interface InputHash {
  /** SHA-256 in base64url. */
  hash: string
  /** The size of the hashed JSON in UTF-8. */
  bytes: number
}

/**
 * Hashes the canonical JSON of a validated input, without `idempotency_key`. Fields that hold their default are left
 * out, so that giving a default and omitting it are the same input, also for a default that a later version adds.
 */
export function inputHash<Input>(
  operation: Pick<Operation<Input>, 'name' | 'input' | 'defaults'>,
  input: Input,
  workspaceType: WorkspaceType,
): InputHash {
  const ofSchema = schemaDefaults(operation.input)
  const ofCaller: Partial<Input> = operation.defaults?.(input, workspaceType) ?? {}
  const canonical = canonicalJson(input, (name, json) => {
    if (name === 'idempotency_key' || ofSchema.get(name) === json) return false
    return !Object.hasOwn(ofCaller, name) || canonicalJson(ofCaller[name as keyof Input]) !== json
  })
  return { hash: hash('sha256', `${operation.name}\n${canonical}`, 'base64url'), bytes: Buffer.byteLength(canonical) }
}

/** By field, as canonical JSON. Kept for each schema: a schema never changes. */
const knownDefaults = new WeakMap<z.ZodType, ReadonlyMap<string, string>>()

/** What validation fills in for fields that are left out. */
export function schemaDefaults(schema: z.ZodType): ReadonlyMap<string, string> {
  const known = knownDefaults.get(schema)
  if (known) return known
  assert(schema instanceof z.ZodObject, 'the input of an operation is an object')
  const defaults = new Map<string, string>()
  for (const [name, field] of Object.entries(schema.shape)) {
    const leftOut = (field as z.ZodType).safeParse(undefined)
    if (leftOut.success && leftOut.data !== undefined) defaults.set(name, canonicalJson(leftOut.data))
  }
  knownDefaults.set(schema, defaults)
  return defaults
}
