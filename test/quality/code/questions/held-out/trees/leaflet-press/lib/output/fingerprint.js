import { createHash } from 'node:crypto'

/** Browsers may keep a stylesheet for ever when its name changes with every byte of it. */
export function fingerprint(name, bytes) {
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 8)
  return name.replace(/(\.\w+)$/, `.${digest}$1`)
}
