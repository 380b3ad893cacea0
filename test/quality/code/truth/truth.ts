/** What a tool of a language says about files. Functions, classes and types only: what the goals are about. */
export interface Fact {
  group: Group
  name: string
  /** 1-based, with decorators. */
  line: number
}

export type Group = 'function' | 'class' | 'type'

/** By path. A file that the tool can't read is absent. */
export type Truth = (files: readonly string[]) => Promise<Map<string, Fact[]>>

const groups: Readonly<Record<string, Group>> = {
  function: 'function',
  method: 'function',
  class: 'class',
  interface: 'class',
  enum: 'class',
  type: 'type',
}

/** Undefined: a kind that is not measured. */
export function groupOf(kind: string): Group | undefined {
  return groups[kind]
}
