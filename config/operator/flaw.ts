/** What is wrong with a value of the operator's file, and which secrets a process needs. */

export interface ValueFlaw {
  path: readonly PropertyKey[]
  /** Completes "<path> …". */
  message: string
  /** The name is wrong, not the value. */
  isName?: boolean
}

export type Variables = Readonly<Record<string, string | undefined>>

/** What the variables that the file names are for: of executors, for remotes, and of hooks. */
export type Need = 'executors' | 'tokens' | 'hooks'

export interface SecretsNeeded {
  /** Other variables may be unset. */
  needs: readonly Need[]
  /** All variables of the process. */
  variables: Variables
}
