/** The tools that read what is recorded. */
import { brief } from '../../context/brief/brief.ts'
import { withCited } from '../../context/brief/cited.ts'
import { recordMarks } from '../../context/marks.ts'
import { searchContext } from '../../context/search.ts'
import { syncContext } from '../../context/sync.ts'
import { findDecisions } from '../../decisions/find.ts'
import { decisionGraph } from '../../decisions/graph.ts'
import { changesText, decisionsText, graphText, searchText } from '../base/text.ts'
import { readTool, type Tool } from '../base/tool.ts'
import { getRecord } from './get-record.ts'

export const readTools: readonly Tool[] = [
  readTool(
    brief,
    {
      name: 'get_brief',
      title: 'Get a brief',
      description:
        'What you must know before you begin: decisions and constraints in force, commitments, what failed before, and open questions, in Markdown with citations. Call it first in every task, with the task as query. Without a query it tells what matters now in the whole workspace.',
      isCore: true,
    },
    withCited,
  ),
  readTool(
    searchContext,
    {
      name: 'search_context',
      title: 'Search everything',
      description:
        'Searches memories and decisions by words and meaning, and returns the passages that answer. Use it for one fact, or to look up what is recorded about something that comes up while you work.',
      isCore: true,
    },
    async (found, caller) => {
      const ids = found.items.map(({ id }) => id)
      return searchText(found, await caller.query(recordMarks, { ids }))
    },
  ),
  readTool(
    findDecisions,
    {
      name: 'search_decisions',
      title: 'Search decisions',
      description:
        'Finds decisions by a question, by id, or by filters such as status, category, in_force, entity_type or since; without q the newest first. It needs one of these. Use it before you propose or change an approach: was it decided already, and is it still in force?',
      isCore: true,
    },
    decisionsText,
  ),
  getRecord,
  readTool(
    syncContext,
    {
      name: 'get_changes',
      title: 'Get changes',
      description:
        'What was recorded, replaced or withdrawn since your last call, in order. Keep the cursor of the answer and send it next time. Use it in long sessions, to notice what others have decided meanwhile.',
    },
    changesText,
  ),
  readTool(
    decisionGraph,
    {
      name: 'get_decision_graph',
      title: 'Get the graph of a decision',
      description:
        'The decisions that one decision replaced, and those that took its place, as a diagram. Use it to find the decision that counts today when all you have is an old one, or to see why it changed.',
    },
    graphText,
  ),
]
