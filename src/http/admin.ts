/** For admins over HTTP: keys are made, listed, revoked; search indexes rebuilt. */
import { z } from 'zod'
import { keyMade, keyRequest, keyResponse } from '../access/keys.ts'
import { rebuildRequest, rebuildResponse } from '../journal/ask-rebuild.ts'
import { problem } from '../problem.ts'
import type { Route } from './route.ts'

const rebuildList = z.strictObject({ items: z.array(rebuildResponse) })
const keyList = z.strictObject({ items: z.array(keyResponse) })

export const adminRoutes: readonly Route[] = [
  {
    kind: 'call',
    method: 'POST',
    path: '/admin/keys',
    name: 'key.create',
    summary: 'Makes a key. Its secret is in this answer and nowhere else.',
    scope: 'admin',
    input: keyRequest,
    output: keyMade,
    status: 201,
    run: (served, actor, input) => served.keys.create(actor, input),
  },
  {
    kind: 'call',
    method: 'GET',
    path: '/admin/keys',
    name: 'key.list',
    summary: 'The keys of the workspace, newest first, revoked ones too; never a secret.',
    scope: 'admin',
    output: keyList,
    status: 200,
    run: async (served, actor) => ({ items: await served.keys.list(actor) }),
  },
  {
    kind: 'call',
    method: 'DELETE',
    path: '/admin/keys/:id',
    name: 'key.revoke',
    summary: 'Revokes a key. It is refused everywhere within 5 seconds.',
    scope: 'admin',
    status: 204,
    async run(served, actor, _, { id = '' }) {
      if (!(await served.keys.revoke(actor, id))) throw problem('not_found', 'There is no key with this id.')
      return undefined
    },
  },
  {
    kind: 'call',
    method: 'POST',
    path: '/admin/reindex',
    name: 'index.rebuild',
    summary: 'Asks for the search index to be built anew beside the one that serves, which it then replaces.',
    scope: 'admin',
    input: rebuildRequest,
    output: rebuildList,
    status: 202,
    run: async (served, actor, input) => ({ items: await served.rebuilds.ask(actor, input) }),
  },
  {
    kind: 'call',
    method: 'GET',
    path: '/admin/reindex',
    name: 'index.rebuilds',
    summary: 'The rebuilds of a day, newest first: asked, filling, live, done.',
    scope: 'admin',
    output: rebuildList,
    status: 200,
    run: async (served, actor) => ({ items: await served.rebuilds.list(actor) }),
  },
]
