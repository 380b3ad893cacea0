/** Formats open questions and conflicts for people, and the possible answers to each question. */
import type { Marks } from '../../context/marks.ts'
import { isAboutOldProposals, type OpenQuestion } from '../../questions/schema.ts'
import { seenLabel } from '../../questions/who-sees.ts'
import { privateTold } from '../../records/standing.ts'
import { type Layout, layoutOn } from './layout.ts'
import { inLine, type Terminal } from './terminal.ts'

/** The wording of a question, and what each possible answer means. */
export interface Answers {
  /** Put before the claim, if the claim itself is not a question. */
  asks?: string
  confirm?: string
  correct?: string
  answer?: string
  dismiss: string
}

const claimAnswers: Answers = {
  asks: 'Is this true?',
  confirm: 'it is true',
  correct: 'the text that replaces it',
  dismiss: 'do not ask again; it stays as it is',
}

const answersByReason: Partial<Record<NonNullable<OpenQuestion['reason']>, Answers>> = {
  pending_judgment: {
    asks: 'Accept this proposal?',
    confirm: 'accept it',
    correct: 'the decision that replaces it',
    dismiss: 'reject it',
  },
  contradiction: {
    asks: 'Which of the two holds?',
    confirm: 'the first one holds, and replaces the other',
    correct: 'the text that replaces both; “keep the older” keeps the other one',
    dismiss: 'do not ask again; both stay as they are',
  },
  explicit_question: { answer: 'the answer', dismiss: 'no answer is needed' },
  single_source: { ...claimAnswers, asks: 'Only one source says so. Is it true?' },
  high_grade_supersession: {
    confirm: 'it is intended',
    correct: 'it is not, and why; the older one is in force again',
    dismiss: 'do not ask again',
  },
  loss_ledger_gap: {
    confirm: 'it failed; the decision stays as it is',
    answer: 'what was learned; the decision stays as it is',
    dismiss: 'do not ask again',
  },
  ambiguous_identity: { answer: 'which one is meant', dismiss: 'do not ask again' },
}

const oldProposalsAnswers: Answers = {
  confirm: 'they stay open, and are not asked about again',
  correct: 'the decision that replaces all of them',
  dismiss: 'reject all of them',
}

export function answersTo(question: Pick<OpenQuestion, 'question_id' | 'reason'>): Answers {
  if (isAboutOldProposals(question)) return oldProposalsAnswers
  return (question.reason && answersByReason[question.reason]) ?? claimAnswers
}

/** Characters. A claim of two records quotes both, so it may have 2,000. */
const longestClaim = 400

interface Showing {
  /** The Markdown of the brief that lists these questions: each has the audience of an answer, and the possible answers. */
  brief?: string
  /** Long claims are not cut. */
  isWhole?: true
}

/** Each question with its id. */
export function questionLines(questions: readonly OpenQuestion[], terminal: Terminal, showing: Showing = {}): string {
  return questions.map((question) => questionLine(question, terminal, showing)).join('\n\n')
}

function questionLine(question: OpenQuestion, terminal: Terminal, { brief, isWhole }: Showing): string {
  const { wrap, strong, faint } = layoutOn(terminal)
  const { question_id, claim, priority, subject } = question
  const answers = answersTo(question)
  const about = subject?.id === undefined ? '' : `  about ${subject.kind} ${inLine(subject.id)}`
  const asks = answers.asks === undefined ? '' : `${answers.asks} `
  const shown = isWhole ? inLine(claim) : shortClaim(claim, longestClaim)
  return [
    wrap(asks + strong(shown), '? ', '  '),
    ...(shown === inLine(claim) ? [] : [`  the whole claim: precedent get ${inLine(question_id)}`]),
    wrap(`${inLine(question_id)}${faint(`  ${priority}${about}`)}`, '  '),
    ...(brief === undefined ? [] : [wrap(`an answer is seen by ${audienceIn(brief, question_id)}`, '  ')]),
    ...(brief === undefined ? [] : answerLines(question_id, answers, wrap)),
  ].join('\n')
}

/** One line. A long claim is cut in its middle, because a claim of two records names the older one at its end. */
export function shortClaim(claim: string, longest: number): string {
  const line = inLine(claim)
  const points = [...line]
  if (points.length <= longest) return line
  const end = Math.floor(longest / 3)
  const [first, last] = [points.slice(0, longest - end).join(''), points.slice(-end).join('')]
  return `${first.replace(/(?<=\S)\s+\S{0,40}$/, '')} … ${last.replace(/^\S{0,40}\s+(?=\S)/, '')}`
}

/** Reads from the brief who will see an answer, because the open question itself has no field for that. */
function audienceIn(brief: string, questionId: string): string {
  const [, after = ''] = brief.split(`\`${questionId}\``)
  const [own = ''] = after.split(/\n(?:- |\n)/)
  const line = own.split('\n').find((one) => one.trim().startsWith(seenLabel))
  if (line === undefined) return 'everyone in the workspace'
  return inLine(
    line.trim().slice(seenLabel.length).trim().replace(/\.$/, '').replaceAll('`visibility`', '--visibility'),
  )
}

function answerLines(id: string, { confirm, correct, answer, dismiss }: Answers, wrap: Layout['wrap']): string[] {
  const line = (option: string, meaning: string | undefined) =>
    meaning === undefined ? [] : [wrap(meaning, `    ${option.padEnd(13)}  `, ' '.repeat(19))]
  return [
    // not wrapped, so that it can be copied
    `  precedent resolve ${inLine(id)}`,
    ...line('--confirm', confirm),
    ...line('--correct "…"', correct),
    ...line('--answer "…"', answer),
    ...line('--dismiss', dismiss),
  ]
}

export interface Conflict {
  source: { id?: string }
  superseded_by: { type: string; id?: string }
  message: string
}

export function conflictLines(conflicts: readonly Conflict[], marks: Marks, terminal: Terminal): string {
  const { wrap, faint } = layoutOn(terminal)
  const mark = (id: string) => (marks.private.includes(id) ? privateTold : '')
  return conflicts
    .map(({ message, superseded_by: { type, id } }) => {
      const now = id === undefined ? '' : `\n  ${faint(`replaced by ${inLine(type)} ${inLine(id)}`)}${mark(id)}`
      return `${wrap(inLine(message), '! ', '  ')}${now}`
    })
    .join('\n')
}
