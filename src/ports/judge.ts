/**
 * The judge port, which is optional: says how two records relate that the rules can't align. It may be unavailable, slow
 * or wrong at any time. Then the rules alone decide (docs/questions.md).
 */
import { ModelUnavailable } from './unavailable.ts'

/** What is judged of a record. */
export interface JudgedText {
  /** Empty if the record has no title of its own. */
  title: string
  text: string
}

export interface JudgedPair {
  /** The record that counts as the newer one. */
  newer: JudgedText
  older: JudgedText
}

export const judgeLabels = ['contradiction', 'update', 'agree', 'unrelated'] as const
export type JudgeLabel = (typeof judgeLabels)[number]

export interface JudgeVerdict {
  label: JudgeLabel
  /** Whole sentences of the two texts, verbatim. Always there for contradiction and update. */
  spans?: { newer: string; older: string }
}

export interface Judge {
  /** Identifies the model and its instructions. Verdicts of different names are stored apart. At most 200 characters. */
  readonly name: string

  /**
   * One verdict for each pair, in order. Each pair is judged apart from the others, so a text can influence no verdict
   * but its own. undefined: the judge gave no usable verdict on this pair. Rejects with JudgeUnavailable, also soon after
   * `signal` is aborted.
   */
  judge(pairs: readonly JudgedPair[], signal: AbortSignal): Promise<(JudgeVerdict | undefined)[]>
}

/** The judge is unreachable or slow, or refuses calls. Try again later. */
export class JudgeUnavailable extends ModelUnavailable {
  override readonly name = 'JudgeUnavailable'
}
