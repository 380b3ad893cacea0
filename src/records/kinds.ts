/**
 * The kinds of records: what differs between them outside of their own operations. A kind is also the word for its
 * records in texts and in responses.
 */
import type { RecordKind } from '../ids.ts'
import { type Format, firstFormat } from '../receipt.ts'

/**
 * The array of a sync page that holds the record. none: not in the feed (questions, revisions that are not current).
 */
export type Feed = 'knowledge' | 'decisions' | 'work' | 'none'

export interface Kind {
  /** Where the records are: GET `<path>/<id>` shows one. null: a record has no url of its own. */
  path: string | null
  /** The page of the console that shows a record: `<page>/<id>`. null: there is none. */
  page: string | null
  /** POST to `path` replaces a record: it corrects or supersedes it. */
  isReplaceable: boolean
  /** The array of a sync page that holds the records, as long as they are current. */
  feed: Feed
  /** They have documents in the search index. */
  isIndexed: boolean
  /** They can be in force, and answer searches and briefs. */
  isKnowledge: boolean
  /** The class of the provenance of a record that has no source. */
  provenance: 'decision' | 'external'
  /** The format of entries with new records of the kind. */
  format: Format
}

export const kinds = {
  memory: {
    path: '/v1/context/memories',
    page: '/memories',
    isReplaceable: true,
    feed: 'knowledge',
    isIndexed: true,
    isKnowledge: true,
    provenance: 'external',
    format: firstFormat,
  },
  decision: {
    path: '/v1/decisions',
    page: '/decisions',
    isReplaceable: true,
    feed: 'decisions',
    isIndexed: true,
    isKnowledge: true,
    provenance: 'decision',
    format: firstFormat,
  },
  // search finds questions through the records that they are about
  question: {
    path: null,
    page: null,
    isReplaceable: false,
    feed: 'none',
    isIndexed: false,
    isKnowledge: false,
    provenance: 'external',
    format: firstFormat,
  },
  // it changes in place, and is never in force
  task: {
    path: '/api/v2/tasks',
    page: null,
    isReplaceable: false,
    feed: 'work',
    isIndexed: true,
    isKnowledge: false,
    provenance: 'external',
    format: 2,
  },
  // search finds its decision by it
  outcome: {
    path: null,
    page: null,
    isReplaceable: false,
    feed: 'none',
    isIndexed: true,
    isKnowledge: false,
    provenance: 'external',
    format: 2,
  },
  // it is shown with its task
  run: {
    path: null,
    page: null,
    isReplaceable: false,
    feed: 'none',
    isIndexed: false,
    isKnowledge: false,
    provenance: 'external',
    format: 2,
  },
} as const satisfies Record<RecordKind, Kind>

const all = Object.entries(kinds) as [RecordKind, Kind][]

type Knowledge = { [Name in RecordKind]: (typeof kinds)[Name]['isKnowledge'] extends true ? Name : never }[RecordKind]

/** The kinds of records that can be in force. */
export const knowledgeKinds = all.flatMap(([kind, { isKnowledge }]) => (isKnowledge ? [kind as Knowledge] : []))

/** The kinds of records that context.search looks through. An outcome is found as its decision. */
export const searchedKinds = [...knowledgeKinds, 'outcome', 'task'] as const

/** The arrays of a sync page. */
export const feeds: readonly Feed[] = [...new Set(all.map(([, { feed }]) => feed))].filter((feed) => feed !== 'none')

export function isKind(word: string): word is RecordKind {
  return Object.hasOwn(kinds, word)
}

/** Where the newest run of a task is shown, without the public url of the service before it. */
export function pathOfRun(task: string): string {
  return `${kinds.task.path}/${task}/run`
}

/** POST approves its plan. */
export function pathOfApproval(task: string): string {
  return `${pathOfRun(task)}/approve`
}

/** The url of a record, without the public url of the service before it. */
export function pathOf(kind: RecordKind, id: string): string | undefined {
  const { path } = kinds[kind]
  return path === null ? undefined : `${path}/${id}`
}
