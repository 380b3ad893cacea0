/** How questions are worded for people: what is asked, why, and who will see an answer. */
import type { Question } from '../../service/service.ts'

export type Reason = NonNullable<Question['reason']>
export type Priority = Question['priority']
export type RecordInQuestion = Question['records'][number]

export const reasonsTold: Readonly<Record<Reason, string>> = {
  contradiction: 'Two records contradict each other',
  pending_judgment: 'A proposal waits for a decision',
  explicit_question: 'The text asks it itself',
  loss_ledger_gap: 'A decision failed',
  ambiguous_identity: 'A name can mean two things',
  high_grade_supersession: 'A strategic decision was replaced',
  low_confidence: 'The author was not sure',
  single_source: 'Only one source says so',
}

export const prioritiesTold: Readonly<Record<Priority, { title: string; hint: string }>> = {
  blocking: { title: 'Answer first', hint: 'Blocking: what is in force here can mislead its readers.' },
  tracking: { title: 'Open', hint: 'Tracking: somebody has to decide or to answer.' },
  watching: { title: 'When there is time', hint: 'Watching: nothing depends on it now.' },
}

export function isAboutOldProposals({ question_id }: Pick<Question, 'question_id'>): boolean {
  return question_id.startsWith('clarification:proposals-')
}

/** The question, and the claim that it is about, if the question itself does not quote it. */
export function asked(question: Question): { asks: string; claim?: string } {
  const { reason, claim, records } = question
  const [first] = records
  if (isAboutOldProposals(question)) return { asks: withoutTitles(claim) }
  switch (reason) {
    case 'contradiction':
      return { asks: 'Which of the two holds?' }
    case 'pending_judgment':
      return judgment(claim, first?.title ?? '')
    case 'low_confidence':
      return { asks: 'Is this so?', claim }
    case 'single_source':
      return { asks: 'Who else can confirm this?', claim }
    case 'explicit_question':
      return { asks: 'Who can answer this?', claim }
    default:
      return { asks: claim }
  }
}

/** The titles are listed as links instead. */
function withoutTitles(claim: string): string {
  const end = ': still open?'
  const at = claim.indexOf(end)
  return at < 0 ? claim : claim.slice(0, at + end.length)
}

/** The claim of a judgment is the title of the proposal and then its judgment. */
function judgment(claim: string, titleWithStatus: string) {
  const title = titleWithStatus.replace(/ \(proposed\)$/, '')
  const said = claim.startsWith(`${title}:`) ? claim.slice(title.length + 1).trim() : claim
  return { asks: `Accept or reject “${title}”?`, ...(said !== '' && { claim: said }) }
}

/** Who will see a record that is made from a note. */
export function seenBy({ scope }: Question['visibility']): string {
  if (scope === 'private') return 'Only you will see this text.'
  return scope === 'team' ? 'Everyone in the team will see this text.' : 'Everyone in the workspace will see this text.'
}
