/** The tools of runs: an executor of the operator carries out a task. */
import { approveRun } from '../../runs/approve.ts'
import { cancelRun } from '../../runs/cancel.ts'
import { getRun } from '../../runs/get.ts'
import { startRun } from '../../runs/start.ts'
import { runText } from '../base/run-text.ts'
import { readTool, type Tool, writeTool } from '../base/tool.ts'

/** What an executor does reaches beyond this service. */
const openWorldHint = true

export const runTools: readonly Tool[] = [
  writeTool(startRun, {
    name: 'run_task',
    title: 'Run a task',
    description:
      'Lets an executor of the operator carry out a task. The policy decides whether it starts at once, plans and waits for a person, or is refused. The run works on a copy of the task. Follow it with get_run.',
    isRepeatable: false,
    hints: { openWorldHint },
  }),
  readTool(
    getRun,
    {
      name: 'get_run',
      title: 'Get the run of a task',
      description:
        'The newest run of a task: its state, plan, sessions with the end of their output, and its result or error. Use it after run_task, and before you approve a plan.',
    },
    runText,
  ),
  writeTool(approveRun, {
    name: 'approve_plan',
    title: 'Approve a plan',
    description:
      'Lets a run go on that awaits approval. Only when a person has told you to, and after you have shown them the plan of get_run: name its revision. Whoever started a run may not approve it.',
    isRepeatable: false,
    hints: { openWorldHint },
  }),
  writeTool(cancelRun, {
    name: 'cancel_run',
    title: 'Cancel a run',
    description: 'Ends the run of a task for good. What its executor has done so far stays as it is.',
    isRepeatable: false,
    hints: { openWorldHint, destructiveHint: true },
  }),
]
