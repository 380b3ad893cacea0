/** All tools, in the fixed order in which tools/list shows them. */

import type { Tool } from './base/tool.ts'
import { chatTools } from './tools/chat.ts'
import { readTools } from './tools/read.ts'
import { repositoryTools } from './tools/repositories.ts'
import { runTools } from './tools/runs.ts'
import { taskTools } from './tools/tasks.ts'
import { writeTools } from './tools/write.ts'

export const tools: readonly Tool[] = [
  ...readTools,
  ...writeTools,
  ...taskTools,
  ...runTools,
  ...repositoryTools,
  ...chatTools,
]
