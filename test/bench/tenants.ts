/** Creates workspaces with keys directly in the store, because no call of the API creates a workspace. */
import { load } from '../../config/load.ts'
import { type Key, keys } from '../../src/access/keys.ts'
import { hashOf, newSecret } from '../../src/access/secret.ts'
import { workspaces } from '../../src/access/workspaces.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { openPorts } from '../../src/engines.ts'
import type { WorkspaceId } from '../../src/ids.ts'
import { logger } from '../../src/log/log.ts'
import { instant } from '../../src/ports/clock.ts'

/** Creates `count` workspaces in the store of these settings. Returns one key of each. */
export async function makeTenants(settings: Record<string, string>, count: number): Promise<string[]> {
  return (await makeTenantsOfCallers(settings, count, 1)).flat()
}

/** Creates workspaces with several keys each. Returns the keys of each workspace. */
export async function makeTenantsOfCallers(
  settings: Record<string, string>,
  count: number,
  callers: number,
): Promise<string[][]> {
  const ports = await openPorts(load(settings), logger('silent'))
  const secrets: string[][] = []
  for (let n = 0; n < count; n++) {
    const id = systemClock.id() as WorkspaceId
    const created_at = instant(systemClock)
    await ports.documents.insert(workspaces, { id, name: `tenant ${n}`, type: 'company', created_at })
    const own = Array.from({ length: callers }, () => newSecret())
    for (const secret of own) await ports.documents.insert(keys, keyOf(id, secret, created_at))
    secrets.push(own)
  }
  await ports.close()
  return secrets
}

function keyOf(workspace: WorkspaceId, secret: string, created_at: string): Key {
  return {
    id: systemClock.id(),
    workspace,
    name: 'tenant',
    hash: hashOf(secret),
    scopes: ['context:read', 'context:write'],
    user: null,
    teams: [],
    created_at,
    expires_at: null,
    last_used_at: null,
    revoked_at: null,
  }
}
