/** Loads operator's files in tests. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Need, Variables } from '../../config/operator/flaw.ts'
import type { OperatorSettings } from '../../config/operator/settings.ts'
import { readOperatorFile } from '../../config/operator-file.ts'
import { temporaryFolder } from '../support/clean-up.ts'

export const signingSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** Writes a file with this content, and returns its path. */
export function written(content: string | Buffer): string {
  const path = join(temporaryFolder(), 'precedent.yaml')
  writeFileSync(path, content)
  return path
}

/** Of a process that does everything. */
export const allNeeds: readonly Need[] = ['executors', 'tokens', 'hooks']

export function settingsIn(
  content: string,
  variables: Variables = { AGENT_SECRET: signingSecret },
  needs: readonly Need[] = allNeeds,
): OperatorSettings {
  const read = readOperatorFile(written(content), variables, needs)
  if (Array.isArray(read)) throw new Error(read.join('\n'))
  return read
}

/** The sentences about a file, without the path before the line. */
export function flawsIn(
  content: string | Buffer,
  variables: Variables = {},
  needs: readonly Need[] = allNeeds,
): string[] {
  const path = written(content)
  const read = readOperatorFile(path, variables, needs)
  return Array.isArray(read) ? read.map((one) => one.replace(`${path}:`, '').replace(path, 'FILE')) : []
}
