/** Links, as outcomes carry them. */
import { type LinkState, links, waitingStates } from '../link.ts'
import { projectionOf } from './projection.ts'

const knownStates: LinkState[] = [...waitingStates, 'taken']

export const projectLinks = projectionOf({
  name: 'links',
  collection: links,
  keeps: 'newest',
  lookups: { target: { state: waitingStates }, successor: { state: knownStates } },
})
