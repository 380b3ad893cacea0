/**
 * The two tools that connectors of chat applications expect, under the names and in the form that they require. Their text
 * is the JSON itself.
 */
import { z } from 'zod'
import { oneLine } from '../../context/brief/text/in-line.ts'
import { searchContext } from '../../context/search.ts'
import { isKind, kinds } from '../../records/kinds.ts'
import { characters } from '../../validation/schema.ts'
import { validated } from '../../validation/validated.ts'
import { type Caller, ownReadTool, type Tool } from '../base/tool.ts'
import { recordOf } from './get-record.ts'

const searchInput = z.strictObject({ query: characters(1, 2000).describe('What to look for.') })
const result = z.strictObject({ id: z.string(), title: z.string(), url: z.string() })
const searchOutput = z.strictObject({ results: z.array(result) })

const fetchInput = z.strictObject({ id: characters(1, 300).describe('The id of a result of search.') })
const fetchOutput = result.extend({ text: z.string(), metadata: z.record(z.string(), z.string()).exactOptional() })

export const chatTools: readonly Tool[] = [
  {
    ...ownReadTool({
      name: 'search',
      title: 'Search',
      description: 'Searches the decisions, memories and tasks of the workspace.',
      scope: 'context:read',
      input: searchInput,
      output: searchOutput,
      async call(args, caller) {
        const { items } = await caller.query(searchContext, { q: validated(searchInput, args).query })
        const results = items.map(({ id, title, snippet, source }) => ({
          id,
          title: oneLine(title ?? snippet),
          url: addressOf(source.type, id, caller) ?? source.url ?? '',
        }))
        return { text: JSON.stringify({ results }), structured: { results } }
      },
    }),
    lists: ['chat'],
  },
  {
    ...ownReadTool({
      name: 'fetch',
      title: 'Fetch',
      description: 'Reads one decision, memory or task whole, by the id that search returned.',
      scope: 'context:read',
      input: fetchInput,
      output: fetchOutput,
      async call(args, caller) {
        const document = await documentOf(validated(fetchInput, args).id, caller)
        return { text: JSON.stringify(document), structured: document }
      },
    }),
    lists: ['chat'],
  },
]

/** The page of the console: people open these addresses. undefined: there is none. */
function addressOf(type: string, id: string, { publicUrl }: Caller): string | undefined {
  const page = isKind(type) ? kinds[type].page : null
  return page === null ? undefined : `${publicUrl}${page}/${id}`
}

async function documentOf(id: string, caller: Caller): Promise<z.output<typeof fetchOutput>> {
  const { text: whole, structured } = await recordOf(id, caller, 'search')
  const { type, decision, memory, task } = structured
  const record = decision ?? memory ?? task
  return {
    id,
    title: oneLine(decision?.title ?? memory?.title ?? task?.name ?? id),
    text: whole,
    url: (record && addressOf(type, record.id, caller)) ?? record?.url ?? '',
    metadata: { type },
  }
}
