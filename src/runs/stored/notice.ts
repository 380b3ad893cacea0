/**
 * Notices: what the operator is told of runs by webhook. An outcome carries them, and maintain sends and deletes them. A
 * late projection may insert one again that was sent: the id is the same, so that the receiver knows it.
 */
import type { RecordId, WorkspaceId } from '../../ids.ts'
import type { Collection } from '../../ports/documents.ts'
import type { RunState } from '../../records/run.ts'

export const noticeTypes = ['awaiting_approval', 'failed', 'succeeded'] as const satisfies RunState[]
export type NoticeType = (typeof noticeTypes)[number]

export interface Notice {
  id: RecordId
  workspace: WorkspaceId
  run: RecordId
  type: NoticeType
  /** When the run came into this state. */
  at: string
  /** When it is to be sent, or sent again. */
  due: string
  tries: number
  entry: number
}

export const notices: Collection<Notice> = {
  name: 'notices',
  fields: {
    id: 'string',
    workspace: 'interned',
    run: 'string',
    type: 'interned',
    at: 'instant',
    due: 'instant',
    tries: 'integer',
    entry: 'integer',
  },
  unique: [],
  indexes: [['due', 'id']],
}

declare module '../../records/entry-documents.ts' {
  interface EntryDocuments {
    notices: Notice
  }
}
