/** The possible answers to a question, each with its effect (docs/questions.md, Answers). */
import type { Answer, Question } from '../../service/service.ts'
import { isAboutOldProposals, type Reason } from './wording.ts'

export interface Action {
  /** The same answer to other questions has the same id. */
  id: 'confirm' | 'older' | 'correct' | 'answer' | 'dismiss' | 'dismiss-because'
  label: string
  /** What the answer does to the records. */
  effect: string
  resolution: Answer['resolution']
  /** It needs a text, or always has this one. */
  note?: { label: string } | string
  /** Asks once more before it is done, because it changes many records. */
  asks?: true
  /** What the question says once it is answered. */
  done: string
}

const dismissed = {
  id: 'dismiss',
  label: 'Not worth asking',
  effect: 'The question closes and is not asked again. Its records stay as they are.',
  resolution: 'dismiss',
  done: 'Dismissed. It is not asked again.',
} as const satisfies Action

const isSo = {
  id: 'confirm',
  label: 'It is so',
  effect: 'The record stays in force, and is marked as confirmed.',
  resolution: 'confirm',
  done: 'Confirmed.',
} as const satisfies Action

const isNotSo = {
  id: 'correct',
  label: 'It is not so: …',
  effect: 'Your text becomes a memory that replaces this claim.',
  resolution: 'correct',
  note: { label: 'What is right instead?' },
  done: 'Corrected. Your text replaces the claim.',
} as const satisfies Action

const ofContradiction: readonly Action[] = [
  {
    id: 'confirm',
    label: 'The newer holds',
    effect: 'The newer claim is marked as confirmed and replaces the older one.',
    resolution: 'confirm',
    done: 'The newer claim holds. It replaces the older one.',
  },
  {
    id: 'older',
    label: 'The older holds',
    effect: 'The older claim is marked as confirmed and replaces the newer one from now on.',
    resolution: 'correct',
    note: 'keep the older',
    done: 'The older claim holds. It replaces the newer one.',
  },
  {
    id: 'correct',
    label: 'Neither: say what holds …',
    effect: 'Your text becomes a memory that replaces both claims.',
    resolution: 'correct',
    note: { label: 'What holds?' },
    done: 'Corrected. Your text replaces both claims.',
  },
  { ...dismissed, effect: 'The question closes and is not asked again. Both claims stay in force.' },
]

const rejected = {
  id: 'dismiss',
  label: 'Reject',
  effect: 'It stays readable as rejected. An earlier revision of it stays in force.',
  resolution: 'dismiss',
  done: 'Rejected.',
} as const satisfies Action

const ofProposal: readonly Action[] = [
  {
    id: 'confirm',
    label: 'Accept',
    effect: 'The proposal is in force from now on, and replaces what it was meant to replace.',
    resolution: 'confirm',
    done: 'Accepted. It is in force.',
  },
  rejected,
  {
    ...rejected,
    id: 'dismiss-because',
    label: 'Reject, and say why …',
    effect: 'As Reject. The decision also shows your reason.',
    note: { label: 'Why not?' },
  },
  {
    id: 'correct',
    label: 'Decide otherwise: …',
    effect: 'Your text becomes an accepted decision that replaces the proposal and any earlier revision of it.',
    resolution: 'correct',
    note: { label: 'What is decided instead?' },
    done: 'Decided. Your decision replaces the proposal.',
  },
]

function ofOldProposals(count: number): readonly Action[] {
  const all = count === 1 ? 'it' : `all ${count}`
  return [
    {
      id: 'confirm',
      label: 'Still open',
      effect: `${count === 1 ? 'It stays a proposal' : `All ${count} stay proposals`} and will not be asked about again.`,
      resolution: 'confirm',
      done: 'Still open. They are not asked about again.',
    },
    {
      id: 'dismiss',
      label: `Reject ${all}`,
      effect: `${count === 1 ? 'The proposal stays' : `All ${count} proposals stay`} readable as rejected.`,
      resolution: 'dismiss',
      asks: true,
      done: `Rejected ${all}.`,
    },
    {
      id: 'correct',
      label: `One decision replaces ${all}: …`,
      effect: `Your text becomes an accepted decision that replaces ${all}.`,
      resolution: 'correct',
      note: { label: 'What is decided?' },
      done: `Decided. Your decision replaces ${all}.`,
    },
  ]
}

const ofSupersession: readonly Action[] = [
  {
    id: 'confirm',
    label: 'It is meant',
    effect: 'The older decision stays replaced. The newer one is marked as confirmed.',
    resolution: 'confirm',
    done: 'Confirmed.',
  },
  {
    id: 'correct',
    label: 'It is not meant: …',
    effect:
      'The older decision is in force again, beside the newer one. Your text becomes a memory. Only the text is recorded if the older decision has another successor or a proposed revision.',
    resolution: 'correct',
    note: { label: 'Why is it not meant?' },
    done: 'Recorded. The older decision is in force again, unless something else replaces it too.',
  },
  {
    id: 'answer',
    label: 'Explain it: …',
    effect: 'Your text becomes a memory. Both decisions stay as they are.',
    resolution: 'answer',
    note: { label: 'What should readers know?' },
    done: 'Recorded. Both decisions stay as they are.',
  },
  { ...dismissed, effect: 'The question closes and is not asked again. The older decision stays replaced.' },
]

const ofFailure: readonly Action[] = [
  {
    id: 'answer',
    label: 'Say what was learned: …',
    effect: 'Your text becomes a memory that cites the decision. The decision stays as it is.',
    resolution: 'answer',
    note: { label: 'What was learned, and what replaces it?' },
    done: 'Recorded. The decision stays as it is.',
  },
  {
    id: 'confirm',
    label: 'It failed, nothing to add',
    effect: 'The question closes. The decision stays as it is.',
    resolution: 'confirm',
    done: 'Confirmed. The decision stays as it is.',
  },
  dismissed,
]

const ofIdentity: readonly Action[] = [
  {
    id: 'answer',
    label: 'Say which one is meant: …',
    effect: 'Your text becomes a memory. Both records stay as they are.',
    resolution: 'answer',
    note: { label: 'Which one is meant?' },
    done: 'Recorded. Both records stay as they are.',
  },
  dismissed,
]

const ofExplicitQuestion: readonly Action[] = [
  {
    id: 'answer',
    label: 'Answer: …',
    effect: 'Your text becomes a memory that replaces the question in its record.',
    resolution: 'answer',
    note: { label: 'The answer' },
    done: 'Answered.',
  },
  dismissed,
]

const byReason: Partial<Record<Reason, readonly Action[]>> = {
  contradiction: ofContradiction,
  pending_judgment: ofProposal,
  high_grade_supersession: ofSupersession,
  loss_ledger_gap: ofFailure,
  ambiguous_identity: ofIdentity,
  explicit_question: ofExplicitQuestion,
}

export function actionsFor(question: Pick<Question, 'question_id' | 'reason' | 'proposals'>): readonly Action[] {
  if (isAboutOldProposals(question)) return ofOldProposals(question.proposals ?? 1)
  return (question.reason && byReason[question.reason]) ?? [isSo, isNotSo, dismissed]
}

/** What a person wrote, and who may see it, if these are fewer than usual. */
export interface Written {
  text: string
  visibility?: Question['visibility']
}

/** `written`: only if the action needs it. */
export function answerOf({ question_id }: Pick<Question, 'question_id'>, action: Action, written?: Written): Answer {
  const note = typeof action.note === 'string' ? action.note : written?.text
  return {
    question_id,
    resolution: action.resolution,
    ...(note !== undefined && { note }),
    ...(written?.visibility && { visibility: written.visibility }),
  }
}

/** Whether the note of this answer can be kept among those who are asked: other people see one of the records too. */
export function canBeNarrower({ visibility, answer_visibility }: Question, { resolution }: Action): boolean {
  return visibility.scope !== answer_visibility.scope && resolution !== 'dismiss'
}
