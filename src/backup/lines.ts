/**
 * The format of a backup: lines of JSON, the same for every engine. The first line is the header, and the last line is
 * the end. Every other line is `[collection, document]`. Two collections exist only in backups: `at` holds the time of
 * the backup, and `point` holds the end of the journal of a workspace.
 */
import type { WorkspaceId } from '../ids.ts'

/** Version of the file format. A reader refuses a newer version. */
export const backupFormat = 1

export interface Header {
  precedent: 'backup'
  format: number
}

/** The id is an instant (ISO 8601). Every write that was acknowledged before it is in the backup. */
export interface At {
  id: string
}

export interface Point {
  id: WorkspaceId
  /** Number of an entry. The copied records hold all entries up to it; the restore projects the entries after it. */
  projected: number
  projected_seq: number
  /** The number of the newest entry in the backup, and its last sequence. */
  head: number
  last_seq: number
}

export interface End {
  end: true
  /** Number of all lines before this one, without the header. */
  lines: number
}

export type Line = [collection: string, document: { id: string }]

/** The file can't be restored; the message says why. */
export class DamagedBackup extends Error {}
