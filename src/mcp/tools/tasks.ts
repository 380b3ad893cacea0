/** The tools of tasks. Those that write wait up to 10 s until their write can be read. */
import { commentOnTask } from '../../tasks/comment.ts'
import { createTask } from '../../tasks/create.ts'
import { getTask } from '../../tasks/get.ts'
import { listTasks } from '../../tasks/list.ts'
import { updateTask } from '../../tasks/update.ts'
import { tasksText, taskText } from '../base/task-text.ts'
import { readTool, type Tool, writeTool } from '../base/tool.ts'
import { repeatsFor } from './write.ts'

export const taskTools: readonly Tool[] = [
  readTool(
    listTasks,
    {
      name: 'list_tasks',
      title: 'List tasks',
      description:
        'Lists tasks by filters such as status, assignee (me: your user) or project, or finds them by words. Use it to look for your next task, or before you create one: does it exist already?',
      isCore: true,
    },
    tasksText,
  ),
  readTool(
    getTask,
    {
      name: 'get_task',
      title: 'Read one task',
      description:
        'Reads one task whole: description, subtasks, comments and changes, and what bears on it: decisions in force, constraints, open questions and past outcomes. Call it before you work on a task.',
    },
    taskText,
  ),
  writeTool(createTask, {
    name: 'create_task',
    title: 'Create a task',
    description:
      'Creates a task for work that is left or that somebody asked for. Name the decisions that it follows from in decision_ids. With an external_id that a task has, it changes that task by the fields given.',
    isCore: true,
    isRepeatable: false,
    repeatsFor,
  }),
  writeTool(updateTask, {
    name: 'update_task',
    title: 'Change a task',
    description:
      'Changes the fields given of a task; null clears one. Claim a task before you work on it: status in_progress, assignees me, and if_revision as you have read it, so that of two agents one fails with revision_conflict. Set done, or blocked with a comment, when you stop.',
    isCore: true,
    isRepeatable: true,
    showsRevision: true,
    describedBy: { execution: 'create_task' },
  }),
  writeTool(commentOnTask, {
    name: 'comment_on_task',
    title: 'Comment on a task',
    description:
      'Adds a comment to a task: progress, what was tried, or what others must know to go on. What holds beyond the task belongs into remember or record_decision instead.',
    isCore: true,
    isRepeatable: false,
    repeatsFor,
  }),
]
