/**
 * A backup as lines of JSON, the same from every engine. A line is `[collection, document]`; the first is the header,
 * `at` says when it was taken, `point` where a workspace's journal ended, and the last one that it is all.
 */
import type { WorkspaceId } from '../records/ids.ts'

/** Of the file. A reader refuses a newer one. */
export const backupFormat = 1

export interface Header {
  precedent: 'backup'
  format: number
}

/** Its id is the instant: every write that was acknowledged before it is in the backup. ISO 8601. */
export interface At {
  id: string
}

export interface Point {
  id: WorkspaceId
  /** Up to here the copied records are whole; beyond, restoring projects the entries that are in the backup. */
  projected: number
  projected_seq: number
  /** The newest entry of the backup, and its last sequence. */
  head: number
  last_seq: number
}

export interface End {
  end: true
  /** Of all lines before this one, without the header. */
  lines: number
}

export type Line = [collection: string, document: { id: string }]

/** Why a file can't be restored. */
export class DamagedBackup extends Error {}
