/** What a person may attach to a conversation: the brief, a decision, a memory, a task. */

import type { Scope } from '../access/actor.ts'
import { brief } from '../context/brief/brief.ts'
import { withCited } from '../context/brief/cited.ts'
import { uuidPattern } from '../ids.ts'
import { Problem } from '../problem.ts'
import { getTask } from '../tasks/get.ts'
import { taskText } from './base/task-text.ts'
import type { Caller } from './base/tool.ts'
import { recordOf } from './tools/get-record.ts'

const scheme = 'precedent://'
const mimeType = 'text/markdown'

export const resources = [
  {
    uri: `${scheme}brief`,
    name: 'brief',
    title: 'Brief',
    description: 'What matters now in the workspace: decisions, constraints, commitments and open questions.',
    mimeType,
  },
]

/** Those that can be read with this scope. */
const templates = {
  'context:read': [
    {
      uriTemplate: `${scheme}decisions/{id}`,
      name: 'decision',
      title: 'Decision',
      description: 'One decision with its reasons, its outcomes, and what it replaced.',
      mimeType,
    },
    {
      uriTemplate: `${scheme}memories/{id}`,
      name: 'memory',
      title: 'Memory',
      description: 'One memory with its chain of corrections.',
      mimeType,
    },
  ],
  'tasks:read': [
    {
      uriTemplate: `${scheme}tasks/{id}`,
      name: 'task',
      title: 'Task',
      description: 'One task with its comments, and with what bears on it.',
      mimeType,
    },
  ],
}

export function templatesFor({ scopes }: Caller) {
  return Object.entries(templates).flatMap(([scope, all]) => (scopes.includes(scope as Scope) ? all : []))
}

export function scopeOfResource(uri: unknown): Scope {
  return typeof uri === 'string' && uri.startsWith(`${scheme}tasks/`) ? 'tasks:read' : 'context:read'
}

/** undefined: there is nothing at this uri that the caller may see. Throws other Problems. */
export async function readResource(
  uri: string,
  caller: Caller,
): Promise<{ uri: string; mimeType: string; text: string } | undefined> {
  if (uri === `${scheme}brief`) return { uri, mimeType, text: withCited(await caller.query(brief, {})) }
  const [, plural, id] = /^precedent:\/\/(decisions|memories|tasks)\/([^/?#]{1,300})$/.exec(uri) ?? []
  if (plural === undefined || id === undefined) return undefined
  try {
    const text = await textOf(plural, id, caller)
    return text === undefined ? undefined : { uri, mimeType, text }
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  }
}

/** undefined: it is of another kind. */
async function textOf(plural: string, id: string, caller: Caller): Promise<string | undefined> {
  if (plural === 'tasks') return uuidPattern.test(id) ? taskText(await caller.query(getTask, { id })) : undefined
  const { text, structured } = await recordOf(id, caller, 'search_context')
  return structured.type === (plural === 'decisions' ? 'decision' : 'memory') ? text : undefined
}
