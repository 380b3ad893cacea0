/** task.explain_policy: what the policy would decide on a run of a task, and why. It starts nothing. */
import type { RecordId } from '../ids.ts'
import { defineQuery, type Reads } from '../operation.ts'
import { bodyOf } from '../records/body.ts'
import { taskRows } from '../records/present/tasks.ts'
import { questionLinks } from '../records/projections/question-links.ts'
import { type RecordReader, recordReader } from '../records/read/reader.ts'
import { noSuch } from '../records/read/visible.ts'
import { chosenExecutor, wantedOf } from './deciding/new-run.ts'
import { type QuestionReader, verdictAtStart } from './deciding/verdict.ts'
import { type ExplainPolicyInput, type ExplainPolicyOutput, explainPolicyInput, explainPolicyOutput } from './shown.ts'

/** Questions on one decision that are read. */
const mostQuestions = 200

export const explainPolicy = defineQuery<ExplainPolicyInput, ExplainPolicyOutput>({
  name: 'task.explain_policy',
  scope: 'tasks:read',
  summary: 'What the policy would decide on a run of this task, and by which rule. It starts nothing.',
  input: explainPolicyInput,
  output: explainPolicyOutput,

  async run({ input: { id, ...given }, actor, reads }) {
    const reader = recordReader(reads.documents, actor, reads.clock)
    const task = (await taskRows([id as RecordId], reader)).get(id)
    if (!task) throw noSuch('task')
    const rules = await reads.runRules()
    const { mode, executor } = wantedOf(given, task.mutable.execution)
    const chosen = chosenExecutor(rules.executors, executor)
    const judged = { ...task.mutable, mode, executor: chosen.name }
    const found = await verdictAtStart(questionsOf(reader, reads), judged, task.audience, rules)
    const { verdict, rule, because, self_approval } = found
    const wait = chosen.plans ? 'plan' : 'await_approval'
    const would = ({ allow: 'start', require_approval: wait, deny: 'be_refused' } as const)[verdict]
    return { mode, executor: chosen.name, verdict, rule, because, self_approval, would }
  },
})

/** Everyone who sees the task sees a question that counts. */
function questionsOf(reader: RecordReader, { documents }: Reads): QuestionReader {
  return {
    async questionsOn(decision) {
      const { workspace, audiences } = reader
      const links = await documents.find(questionLinks, {
        where: { workspace, record_id: decision, audience: { in: audiences }, open: 1 },
        limit: mostQuestions,
        fields: ['question'],
      })
      const ids = links.map(({ question }) => question)
      const rows = await reader.rows(ids, ['kind', 'title', 'audience', 'valid_to', 'body'])
      return [...rows.values()].flatMap(({ title, audience, valid_to, ...row }) =>
        row.kind === 'question' ? [{ title, audience, valid_to, body: bodyOf(row, 'question') }] : [],
      )
    },
  }
}
