/** Two statements of which one denies what the other says. */
import { isContrasted } from './modality.ts'
import type { Statement } from './statement.ts'

export function isDenialBetween(a: Statement, b: Statement): boolean {
  return a.isDenied !== b.isDenied && !isContrasted(a.text) && !isContrasted(b.text)
}
