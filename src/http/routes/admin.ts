/** Administration over HTTP: creates, lists and revokes keys, rebuilds search indexes, and shows connected repositories. */
import { z } from 'zod'
import { keyMade, keyRequest, keyResponse } from '../../access/keys.ts'
import { operatedList, operatedRepository, reindexRequest } from '../../code/operating/operated.ts'
import { rebuildRequest, rebuildResponse } from '../../indexing/ask-rebuild.ts'
import { problem } from '../../problem.ts'
import type { Route } from '../base/route.ts'

const rebuildList = z.strictObject({ items: z.array(rebuildResponse) })
const keyList = z.strictObject({ items: z.array(keyResponse) })

const keyId = '0192d59f-0a11-7c22-8d33-4e445f556a66'
const key = {
  id: keyId,
  name: 'ci',
  workspace: '01890000-0000-7000-8000-000000000001',
  user: 'ann',
  teams: [],
  scopes: ['context:read', 'context:write'],
  created_at: '2026-03-02T09:00:00.000Z',
  expires_at: '2027-03-02T09:00:00.000Z',
  last_used_at: null,
  revoked_at: null,
}
const rebuild = {
  index: '0192d5a9-5e66-7f77-9a88-1b99acaabd88',
  workspace: key.workspace,
  state: 'filling',
  asked_at: '2026-03-02T10:00:00.000Z',
  copied: 1200,
}

const commit = { commit: '9c1185a5c5e9fc54612808977ee8f548b2258d31', at: '2026-03-03T08:12:00.000Z' }
const repository = {
  full_name: 'acme/shop',
  default_branch: 'main',
  head: commit,
  indexed: commit,
  state: 'ready',
  languages: { typescript: 412_880 },
  counts: { files: 312, symbols: 4_120, skipped: 3 },
  url: 'https://git.example.com/acme/shop.git',
  audience: 'workspace',
  skipped: { binary: 2, minified: 1 },
  indexed_at: '2026-03-03T08:12:09.000Z',
  behind_since: null,
}

export const adminRoutes: readonly Route[] = [
  {
    kind: 'call',
    method: 'POST',
    path: '/admin/keys',
    name: 'key.create',
    summary: 'Creates a key. Only this answer contains its secret.',
    scope: 'admin',
    input: keyRequest,
    output: keyMade,
    status: 201,
    example: {
      request: { name: key.name, scopes: key.scopes, user: key.user, expires_at: key.expires_at },
      response: { ...key, key: '<the secret: svc_sk_ and random letters and digits>' },
    },
    run: (api, actor, input) => api.keys.create(actor, input),
  },
  {
    kind: 'call',
    method: 'GET',
    path: '/admin/keys',
    name: 'key.list',
    summary: 'Lists the keys of the workspace, newest first, with revoked ones and without secrets.',
    scope: 'admin',
    output: keyList,
    status: 200,
    example: { response: { items: [key] } },
    run: async (api, actor) => ({ items: await api.keys.list(actor) }),
  },
  {
    kind: 'call',
    method: 'DELETE',
    path: '/admin/keys/:id',
    name: 'key.revoke',
    summary: 'Revokes a key. Within 5 seconds it is refused everywhere.',
    scope: 'admin',
    status: 204,
    example: { request: { id: keyId } },
    async run(api, actor, _, { id = '' }) {
      if (!(await api.keys.revoke(actor, id))) throw problem('not_found', 'There is no key with this id.')
      return undefined
    },
  },
  {
    kind: 'call',
    method: 'POST',
    path: '/admin/reindex',
    name: 'index.rebuild',
    summary: 'Rebuilds the search index. The current index serves until the new one replaces it.',
    scope: 'admin',
    input: rebuildRequest,
    output: rebuildList,
    status: 202,
    example: { request: {}, response: { items: [{ ...rebuild, state: 'asked', copied: 0 }] } },
    run: async (api, actor, input) => ({ items: await api.rebuilds.ask(actor, input) }),
  },
  {
    kind: 'call',
    method: 'GET',
    path: '/admin/reindex',
    name: 'index.rebuilds',
    summary: 'Lists the rebuilds of the last day, newest first, with their state.',
    scope: 'admin',
    output: rebuildList,
    status: 200,
    example: { response: { items: [rebuild] } },
    run: async (api, actor) => ({ items: await api.rebuilds.list(actor) }),
  },
  {
    kind: 'call',
    method: 'GET',
    path: '/admin/repositories',
    name: 'repository.list_operated',
    summary:
      'Lists all connected repositories of the workspace by name, with what was skipped and since when they are behind.',
    scope: 'admin',
    output: operatedList,
    status: 200,
    example: { response: { items: [repository] } },
    run: async (api, actor) => ({ items: await api.repositories.list(actor) }),
  },
  {
    kind: 'call',
    method: 'POST',
    path: '/admin/repositories/reindex',
    name: 'repository.reindex',
    summary: 'Asks for a complete new index of a connected repository. The present one serves until then.',
    scope: 'admin',
    input: reindexRequest,
    output: operatedRepository,
    status: 202,
    example: { request: { repository: repository.full_name }, response: repository },
    run: (api, actor, input) => api.repositories.reindex(actor, input),
  },
]
