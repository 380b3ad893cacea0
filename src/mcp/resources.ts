/** What a person may attach to a conversation: the brief, a decision, a memory. */
import { brief } from '../context/brief/brief.ts'
import { Problem } from '../problem.ts'
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

export const resourceTemplates = [
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
]

const kinds = { decisions: 'decision', memories: 'memory' } as const

/** undefined: there is nothing at this uri that the caller may see. Throws other Problems. */
export async function readResource(
  uri: string,
  caller: Caller,
): Promise<{ uri: string; mimeType: string; text: string } | undefined> {
  if (uri === `${scheme}brief`) return { uri, mimeType, text: (await caller.query(brief, {})).markdown }
  const [, plural, id] = /^precedent:\/\/(decisions|memories)\/([^/?#]{1,300})$/.exec(uri) ?? []
  if (plural === undefined || id === undefined) return undefined
  try {
    const { text, structured } = await recordOf(id, caller)
    return structured.type === kinds[plural as keyof typeof kinds] ? { uri, mimeType, text } : undefined
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  }
}
