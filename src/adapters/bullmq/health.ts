/** Finds problems of Redis in its INFO. */
import { EngineUnavailable, type Trouble } from '../../ports/unavailable.ts'

const fault = (trouble: Trouble, reason: string) => new EngineUnavailable('redis', reason, undefined, trouble)

/** Undefined if there is no problem. */
export function faultOf(info: string): EngineUnavailable | undefined {
  const values = new Map(info.split(/\r?\n/).map((line) => line.split(':', 2) as [string, string | undefined]))
  const policy = values.get('maxmemory_policy')
  if (policy !== undefined && policy !== 'noeviction') {
    return fault(
      'evicting',
      `maxmemory-policy is ${policy}. Set it to noeviction. Otherwise Redis evicts jobs when its memory is full`,
    )
  }
  const role = values.get('role')
  if (role !== undefined && role !== 'master') {
    return fault('read_only', 'it is a replica and refuses writes. Set REDIS_URL to its master')
  }
  const most = Number(values.get('maxmemory') ?? 0)
  if (most > 0 && Number(values.get('used_memory') ?? 0) >= most) return fault('full', 'its memory is full (maxmemory)')
  return undefined
}
