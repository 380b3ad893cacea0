/** The records of a brief whose query is the id of an open question: those that the question is about. */

import { questionIdPattern } from '../../../ids.ts'
import { openQuestion, type ShownQuestion } from '../../../questions/open.ts'
import { inForce } from '../../../records/in-force.ts'
import { type Found, heldAmong, itemsOf, type With } from './found.ts'

/** Needs the store only, so it works while search is unavailable. undefined: the query is not the id of an open question. */
export async function aboutQuestion(
  query: string,
  { presenting: { reader } }: With,
): Promise<{ found: Found; asked: ShownQuestion[] } | undefined> {
  if (!questionIdPattern.test(query)) return undefined
  const open = await openQuestion(query, reader)
  if (open === undefined) return undefined
  // a failed decision that a judgment names may be superseded
  const replaced = open.about.filter(({ superseded_by }) => superseded_by !== null)
  const items = await itemsOf(
    open.about.filter((record) => !replaced.includes(record)).map((record) => ({ record, score: null })),
    reader,
  )
  const decisions = items.filter(({ record }) => record.kind === 'decision')
  const found: Found = {
    decisions: decisions.filter(({ record }) => inForce(record, reader.now)),
    others: decisions.filter(({ record }) => !inForce(record, reader.now)),
    also: [],
    related: [],
    background: [],
    binding: [],
    memories: items.filter(({ record }) => record.kind === 'memory'),
    replaced,
    superseding: [],
    relevance: 'matched',
    chosenFrom: null,
    held: heldAmong(open.about),
    terms: [],
    failures: [],
    passing: false,
  }
  return { found, asked: [open] }
}
