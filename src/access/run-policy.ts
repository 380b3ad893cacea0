/**
 * The policy of the operator: which runs may start by themselves, which wait for an approval, and which are refused. Only
 * types, because config/ reads the policy, the store keeps it, and src/runs/policy.ts decides by it.
 */

/** From the mildest to the strictest. */
export const verdicts = ['allow', 'require_approval', 'deny'] as const
export type Verdict = (typeof verdicts)[number]

export interface Policy {
  /** Decides if no rule fits. */
  default: Verdict
  /** The first rule that fits decides. */
  rules: readonly PolicyRule[]
}

export interface PolicyRule {
  /** No two rules of a policy have the same. */
  name: string
  when: PolicyConditions
  /** In the operator's file: `then`. */
  verdict: Verdict
  /** The user who started a run may approve it. */
  self_approval: boolean
}

/** All that are given must hold. A condition holds if the run has one of its values. */
export interface PolicyConditions {
  labels?: readonly string[]
  project?: readonly string[]
  priority?: readonly string[]
  repo?: readonly string[]
  executor?: readonly string[]
}

/** What a policy knows of a run: the copy of the task that the run took. */
export interface PolicySubject {
  labels: readonly string[]
  project: string | null
  priority: string
  repo: string | null
  executor: string
}

export interface PolicyVerdict {
  verdict: Verdict
  /** The name of the rule that decided. null: the default, or there is no policy. */
  rule: string | null
  /** The reasons, for people. */
  because: string[]
  self_approval: boolean
}
