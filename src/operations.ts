/** All operations of the service. drain looks them up here by name. */
import { importDecisions } from './decisions/import.ts'
import { recordDecision } from './decisions/record.ts'
import { remember } from './memories/remember.ts'
import type { Operation } from './operation.ts'
import { asking } from './questions/asking.ts'
import { findQuestion } from './questions/find.ts'
import { resolve } from './questions/resolve.ts'
import { takeEffect } from './records/take-effect.ts'

export const operations = [
  asking(remember),
  asking(recordDecision),
  asking(importDecisions),
  asking(resolve),
  asking(takeEffect),
  findQuestion,
] as unknown as Operation<never>[]

export const operationsByName: ReadonlyMap<string, Operation<never>> = new Map(
  operations.map((operation) => [operation.name, operation]),
)
