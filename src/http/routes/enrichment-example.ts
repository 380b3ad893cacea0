/** The example of what bears on a task, which task.get shows. */
import { decisionId, decisionSource, openQuestion } from './v1-examples.ts'

export const enrichment = {
  markdown:
    '# What bears on: Move the deployment job to Tuesdays\n\n## Decisions in force\n\n- **Deploy on Tuesdays** (2026-03-02, by Ann) [1]\n',
  decisions: [
    {
      id: decisionId,
      title: 'Deploy on Tuesdays',
      judgment: 'We deploy to production on Tuesdays before noon, and never on Fridays.',
      decided_at: '2026-03-02T09:15:00.000Z',
      citation: 1,
    },
  ],
  constraints: [],
  open_questions: [openQuestion],
  outcomes: [
    {
      id: decisionId,
      title: 'Deploy on Tuesdays',
      url: decisionSource.url,
      kind: 'decision',
      outcome_status: 'success',
      content: 'No deployment of the last quarter had to be rolled back.',
      occurred_at: '2026-03-02T09:15:00.000Z',
      citation: 1,
    },
  ],
  conflicts: [],
  citations: [decisionSource],
  degraded: false,
}
