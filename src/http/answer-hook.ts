/** Answers hooks of hosts of repositories: GitHub, GitLab, Gitea and those that sign like them. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from 'koa'
import { problem } from '../problem.ts'
import type { Admission } from './admission/admission.ts'
import type { Api } from './base/api.ts'
import { hookBody } from './base/body-bounds.ts'
import { toldOf } from './base/trace.ts'
import { readBytes } from './body/body.ts'
import { pathParameters } from './middleware/path.ts'

export function answerHook(api: Api, admission: Admission) {
  return async (ctx: Context): Promise<void> => {
    // callers are unknown, so each address has a rate of its own
    const by = { workspace: '', credential: `hooks ${ctx.req.socket.remoteAddress ?? ''}` }
    await admission.admit(ctx, by, false, async () => {
      const body = hasBody(ctx) ? await readBytes(ctx, hookBody, () => {}) : new Uint8Array()
      const { repo_full_name: name = '' } = pathParameters(ctx)
      const { trace } = toldOf(ctx)
      // an unknown name, one without a secret and a wrong signature look the same
      if (!(await api.repositories.hook({ name, ...proofsIn(ctx.req.headers), body, trace }))) throw nothingHere()
      ctx.status = 202
      ctx.set('Cache-Control', 'no-store')
      ctx.body = { fetch: 'requested' }
    })
  }
}

function proofsIn(headers: IncomingHttpHeaders): { signatures: string[]; token: string | undefined } {
  const one = (name: string) => (typeof headers[name] === 'string' ? headers[name] : undefined)
  const [, github] = /^sha256=([\da-f]{64})$/i.exec(one('x-hub-signature-256') ?? '') ?? []
  const [gitea] = /^[\da-f]{64}$/i.exec(one('x-gitea-signature') ?? '') ?? []
  return { signatures: [github, gitea].filter((given) => given !== undefined), token: one('x-gitlab-token') }
}

function hasBody({ req }: Context): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
}

function nothingHere() {
  return problem('not_found', 'There is nothing at this address. /docs shows what there is.')
}
