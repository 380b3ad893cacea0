/** Finds faults of a Redis server from its INFO. */

import { EngineUnavailable, type Trouble } from '../../ports/unavailable.ts'

const fault = (trouble: Trouble, what: string) => new EngineUnavailable('redis', what, undefined, trouble)

/** undefined: healthy. */
export function faultOf(info: string): EngineUnavailable | undefined {
  const said = new Map(info.split(/\r?\n/).map((line) => line.split(':', 2) as [string, string | undefined]))
  const policy = said.get('maxmemory_policy')
  if (policy !== undefined && policy !== 'noeviction') {
    return fault(
      'evicting',
      `maxmemory-policy is ${policy}: set it to noeviction, or wake-ups are thrown away when memory is short`,
    )
  }
  const role = said.get('role')
  if (role !== undefined && role !== 'master') {
    return fault('read_only', 'a replica, which takes no writes: REDIS_URL must name its master')
  }
  const most = Number(said.get('maxmemory') ?? 0)
  if (most > 0 && Number(said.get('used_memory') ?? 0) >= most) return fault('full', 'its memory is full (maxmemory)')
  return undefined
}
