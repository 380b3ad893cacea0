/** A store of many workspaces: written straight into it, as no call makes a workspace. */
import { load } from '../../config/load.ts'
import { type Key, keys } from '../../src/access/keys.ts'
import { hashOf, newSecret } from '../../src/access/secret.ts'
import { workspaces } from '../../src/access/workspaces.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { openPorts } from '../../src/engines.ts'
import { logger } from '../../src/log.ts'
import { instant } from '../../src/ports/clock.ts'
import type { WorkspaceId } from '../../src/records/ids.ts'

/** Makes `count` workspaces in the store that these settings name. Returns a key of each. */
export async function makeTenants(settings: Record<string, string>, count: number): Promise<string[]> {
  return (await makeTenantsOfCallers(settings, count, 1)).flat()
}

/** The same with several callers in each. Returns the keys of each. */
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
