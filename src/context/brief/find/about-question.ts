/** The records of a brief whose query is the id of an open question: those that the question is about. */

import { questionIdPattern } from '../../../ids.ts'
import { openQuestion, type ShownQuestion } from '../../../questions/open.ts'
import { inForce } from '../../../records/in-force.ts'
import { type Found, heldAmong, nothingFound, unscored, type With } from './found.ts'

interface AboutQuestion {
  found: Found
  /** The question, if it is open. */
  asked: ShownQuestion[]
}

/** Needs the store only, so it works while search is unavailable. undefined: the query is not the id of a question. */
export async function aboutQuestion(
  query: string,
  { presenting: { reader } }: With,
): Promise<AboutQuestion | undefined> {
  // “fact: who owns it” is a query of words
  if (!questionIdPattern.test(query) || /\s/.test(query)) return undefined
  const open = await openQuestion(query, reader)
  if (open === undefined) return { found: { ...nothingFound, relevance: 'none', unsearched: notOpen }, asked: [] }
  const items = await unscored(open.about, reader)
  const decisions = items.filter(({ record }) => record.kind === 'decision')
  const found: Found = {
    ...nothingFound,
    decisions: decisions.filter(({ record }) => inForce(record, reader.now)),
    others: decisions.filter(({ record }) => !inForce(record, reader.now)),
    memories: items.filter(({ record }) => record.kind === 'memory'),
    relevance: 'matched',
    held: heldAmong(open.about),
  }
  return { found, asked: [open] }
}

/** The same for a question that never existed or that the caller does not see. */
const notOpen = 'No question with this id is open. It may be answered already, or its records are no longer in force.'
