/** All operations of the service. drain looks them up here by name. */
import { importDecisions } from './decisions/import.ts'
import { recordDecision } from './decisions/record.ts'
import { remember } from './memories/remember.ts'
import type { Operation } from './operation.ts'
import { findQuestion } from './questions/find.ts'
import { resolve } from './questions/resolve.ts'
import { withQuestions } from './questions/with-questions.ts'
import { takeEffect } from './records/take-effect.ts'

export const operations = [
  withQuestions(remember),
  withQuestions(recordDecision),
  withQuestions(importDecisions),
  withQuestions(resolve),
  withQuestions(takeEffect),
  findQuestion,
] as unknown as Operation<never>[]

export const operationsByName: ReadonlyMap<string, Operation<never>> = new Map(
  operations.map((operation) => [operation.name, operation]),
)
