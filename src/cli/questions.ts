/** Open questions and conflicts, as people read them, and how each question is answered. */
import type { OpenQuestion } from '../questions/schema.ts'
import { seenLabel } from '../questions/who-sees.ts'
import { type Layout, layoutOn } from './layout.ts'
import { inLine, type Terminal } from './terminal.ts'

/** How a question is put, and what each answer to it means. */
export interface Ways {
  /** Before the claim, where that is no question by itself. */
  asks?: string
  confirm?: string
  correct?: string
  answer?: string
  dismiss: string
}

const claimWays: Ways = {
  asks: 'Is this so?',
  confirm: 'it is so',
  correct: 'what holds instead',
  dismiss: 'nobody need ask; it stays as it is',
}

const waysByReason: Partial<Record<NonNullable<OpenQuestion['reason']>, Ways>> = {
  pending_judgment: {
    asks: 'Accept this proposal?',
    confirm: 'it is accepted',
    correct: 'what was decided instead',
    dismiss: 'it is rejected',
  },
  contradiction: {
    asks: 'Which of the two holds?',
    confirm: 'the first one holds, and takes the place of the other',
    correct: 'what holds instead of both',
    dismiss: 'both stay as they are',
  },
  explicit_question: { answer: 'the answer', dismiss: 'nobody need answer it' },
  single_source: { ...claimWays, asks: 'Only one source says so. Is it so?' },
  high_grade_supersession: { confirm: 'it is meant', correct: 'what holds instead', dismiss: 'nobody need ask' },
  ambiguous_identity: { answer: 'which one is meant', dismiss: 'nobody need ask' },
}

export function waysOf({ reason }: Pick<OpenQuestion, 'reason'>): Ways {
  return (reason && waysByReason[reason]) ?? claimWays
}

/** Each with its id; with `brief`, the Markdown that has them, also who sees the answer and how to give it. */
export function questionLines(questions: readonly OpenQuestion[], terminal: Terminal, brief?: string): string {
  return questions.map((question) => questionLine(question, terminal, brief)).join('\n\n')
}

function questionLine(question: OpenQuestion, terminal: Terminal, brief: string | undefined): string {
  const { wrap, strong, faint } = layoutOn(terminal)
  const { question_id, claim, priority, subject } = question
  const ways = waysOf(question)
  const about = subject?.id === undefined ? '' : `  about ${subject.kind} ${inLine(subject.id)}`
  const asks = ways.asks === undefined ? '' : `${ways.asks} `
  return [
    wrap(asks + strong(inLine(claim)), '? ', '  '),
    wrap(`${inLine(question_id)}${faint(`  ${priority}${about}`)}`, '  '),
    ...(brief === undefined ? [] : [wrap(`an answer is seen by ${whoSeesIn(brief, question_id)}`, '  ')]),
    ...(brief === undefined ? [] : waysLines(question_id, ways, wrap)),
  ].join('\n')
}

/** What a brief says of it: the open question itself has no field for that. */
function whoSeesIn(brief: string, questionId: string): string {
  const [, after = ''] = brief.split(`\`${questionId}\``)
  const [own = ''] = after.split(/\n(?:- |\n)/)
  const said = own.split('\n').find((line) => line.trim().startsWith(seenLabel))
  if (said === undefined) return 'everyone in the workspace'
  return inLine(
    said.trim().slice(seenLabel.length).trim().replace(/\.$/, '').replaceAll('`visibility`', '--visibility'),
  )
}

function waysLines(id: string, { confirm, correct, answer, dismiss }: Ways, wrap: Layout['wrap']): string[] {
  const way = (option: string, meaning: string | undefined) =>
    meaning === undefined ? [] : [wrap(meaning, `    ${option.padEnd(13)}  `, ' '.repeat(19))]
  return [
    // never wrapped: it is copied
    `  precedent resolve ${inLine(id)}`,
    ...way('--confirm', confirm),
    ...way('--correct "…"', correct),
    ...way('--answer "…"', answer),
    ...way('--dismiss', dismiss),
  ]
}

export interface Conflict {
  source: { id?: string }
  superseded_by: { type: string; id?: string }
  message: string
}

export function conflictLines(conflicts: readonly Conflict[], terminal: Terminal): string {
  const { wrap, faint } = layoutOn(terminal)
  return conflicts
    .map(({ message, superseded_by: { type, id } }) => {
      const now = id === undefined ? '' : `\n  ${faint(`now: ${inLine(type)} ${inLine(id)}`)}`
      return `${wrap(inLine(message), '! ', '  ')}${now}`
    })
    .join('\n')
}
