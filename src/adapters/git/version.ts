/** Which git is installed. */
import { MirrorError } from '../../ports/mirrors.ts'
import { type Git, runGit } from './process.ts'
import { oldestGit } from './settings.ts'

/** ms. */
const answersWithin = 10_000

/** Such as `2.39.5`. Rejects with MirrorError if it is missing, or older than is supported. */
export async function supportedVersion(git: Git, signal: AbortSignal): Promise<string> {
  const command = { args: ['version'], gitDir: undefined, timeMs: answersWithin }
  const printed = (await runGit(git, command, 1024, signal)).toString()
  const [, version = '', major, minor] = /^git version ((\d+)\.(\d+)[\d.]*)/.exec(printed) ?? []
  const [leastMajor, leastMinor] = oldestGit
  const isSupported = Number(major) > leastMajor || (Number(major) === leastMajor && Number(minor) >= leastMinor)
  if (isSupported) return version
  const found = version === '' ? 'of an unknown version' : version
  throw new MirrorError('failed', `this is git ${found}, and ${oldestGit.join('.')} or later is needed`)
}
