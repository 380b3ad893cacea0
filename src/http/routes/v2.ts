/** The calls of v2, a row each. */

import { findDecisions } from '../../decisions/find.ts'
import { decisionGraph } from '../../decisions/graph.ts'
import { recordOutcome } from '../../decisions/outcome.ts'
import { recordDecision } from '../../decisions/record.ts'
import { supersedeDecision } from '../../decisions/supersede.ts'
import { commentOnTask } from '../../tasks/comment.ts'
import { createTask } from '../../tasks/create.ts'
import { getTask } from '../../tasks/get.ts'
import { listTasks } from '../../tasks/list.ts'
import type { GetTaskOutput } from '../../tasks/schema.ts'
import { updateTask } from '../../tasks/update.ts'
import { type Route, read, write } from '../base/route.ts'
import { examples } from './v2-examples.ts'
import { repositoryRoutes } from './v2-repositories.ts'
import { runRoutes, withoutFleet } from './v2-runs.ts'

export const v2Routes: readonly Route[] = [
  read('GET', '/api/v2/decisions/graph', decisionGraph, { example: examples.decisionGraph }),
  read('GET', '/api/v2/decisions/search', findDecisions, { example: examples.findDecisions }),
  write('POST', '/api/v2/decisions', recordDecision, { keyIsOptional: true, example: examples.recordDecision }),
  write('PATCH', '/api/v2/decisions/:id/outcome', recordOutcome, {
    keyIsOptional: true,
    conditional: true,
    example: examples.recordOutcome,
  }),
  write('POST', '/api/v2/decisions/:id/supersede', supersedeDecision, {
    keyIsOptional: true,
    conditional: true,
    example: examples.supersedeDecision,
  }),
  read('GET', '/api/v2/tasks', listTasks, { example: examples.listTasks }),
  write('POST', '/api/v2/tasks', createTask, { keyIsOptional: true, example: examples.createTask }),
  read('GET', '/api/v2/tasks/:id', getTask, {
    tagged(output) {
      const { enrichment: _, run, ...task } = output as GetTaskOutput
      return { revision: task.revision, hashed: { ...task, run: run && withoutFleet(run) } }
    },
    example: examples.getTask,
  }),
  write('PATCH', '/api/v2/tasks/:id', updateTask, {
    keyIsOptional: true,
    conditional: true,
    example: examples.updateTask,
  }),
  write('POST', '/api/v2/tasks/:id/comments', commentOnTask, { keyIsOptional: true, example: examples.commentOnTask }),
  ...runRoutes,
  ...repositoryRoutes,
]
