/** What an operation's decide gets: the input of one receipt, its actor and the state at head. */
import type { WorkspaceType } from '../access/actor.ts'
import type { Audience, RecordId } from '../ids.ts'
import type { Receipt } from '../receipt.ts'
import type { Visible } from '../records/read/visible.ts'
import type { RunRules } from '../records/run-rules.ts'
import type { StateAtHead } from './state-at-head.ts'

export interface DecideContext<Input> {
  input: Input
  receipt: Pick<Receipt, 'id' | 'accepted_at' | 'workspace' | 'trace'>
  /** The actor at the time of acceptance; its key may have changed since. */
  actor: { user: string; teams: readonly string[]; audiences: readonly Audience[]; credential: string }
  workspaceType: WorkspaceType
  state: StateAtHead
  /** A record of the state that the actor sees; throws not_found. */
  visible: Visible
  /** The policy of runs, and the executors that there are. */
  runRules(): Promise<RunRules>
  /** When the entry is made, ISO 8601. */
  at: string
  newId(): RecordId
}
