/** Version of the package that this file is in: from source two folders up, built three. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export function version(): string {
  for (const up of ['../..', '../../..']) {
    try {
      const text = readFileSync(join(import.meta.dirname, up, 'package.json'), 'utf8')
      return (JSON.parse(text) as { version: string }).version
    } catch {} // not there: one further up
  }
  return 'unknown'
}
