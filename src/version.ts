/** The version in package.json. The file is one folder up in the source, and two in the build. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export function version(): string {
  for (const up of ['..', '../..']) {
    try {
      const text = readFileSync(join(import.meta.dirname, up, 'package.json'), 'utf8')
      return (JSON.parse(text) as { version: string }).version
    } catch {} // not in this folder: try the next one up
  }
  return 'unknown'
}
