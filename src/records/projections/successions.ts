/** Successors that rows have no room for, as outcomes carry them. */
import { successions } from '../succession.ts'
import { projectionOf } from './projection.ts'

export const projectSuccessions = projectionOf({
  name: 'successions',
  collection: successions,
  keeps: 'newest',
  lookups: { successor: {} },
  format: 2,
})
