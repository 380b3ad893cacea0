/** The hash that detects a repeated call with the same idempotency key (PROTOCOL 6). */
import { hash } from 'node:crypto'

/**
 * SHA-256 in base64url of the canonical JSON of a validated input: sorted keys, without `idempotency_key` and undefined
 * values. Default values are left out, so that giving a default and omitting it are the same input. `bytes`: the size
 * of this JSON in UTF-8.
 */
export function inputHash(operation: string, input: unknown, defaults: object = {}): { hash: string; bytes: number } {
  const canonical = canonicalJson(withoutDefaults(input, defaults))
  return { hash: hash('sha256', `${operation}\n${canonical}`, 'base64url'), bytes: Buffer.byteLength(canonical) }
}

export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(',')}}`
  }
  return JSON.stringify(value ?? null)
}

/** Removes `defaults` and the defaults that validation fills in: empty lists and the status `accepted`. */
function withoutDefaults(input: unknown, defaults: object): unknown {
  if (input === null || typeof input !== 'object' || Array.isArray(input)) return input
  const { idempotency_key: _, ...rest } = input as Record<string, unknown>
  return Object.fromEntries(Object.entries(rest).filter(([name, value]) => !isDefault(name, value, defaults)))
}

function isDefault(name: string, value: unknown, defaults: object): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (Object.hasOwn(defaults, name))
    return canonicalJson(value) === canonicalJson((defaults as Record<string, unknown>)[name])
  return name === 'status' && value === 'accepted'
}
