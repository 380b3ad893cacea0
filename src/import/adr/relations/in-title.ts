/** The relation in brackets at the end of a title: `Tins (supersedes ADR 3)`. */

import { enclosedIn } from './enclosed.ts'
import { anyMarker, fold, markerPattern } from './markers.ts'

const bracketed = /(?<=\S)\s*[(（]([^()（）]{4,200})[)）]$/u
const reference =
  /(?<![a-z\p{N}])(?:(?:m?adrs?[\s#-]*|#|№\s?)\d{1,5}|0\d{2,3})(?:-[\p{L}\p{N}_-]+)?(?:\.md)?(?![\p{L}\p{N}])/giu
/** Beside the verb and the references, these words say nothing else. */
const beside =
  /(?<!\p{L})(?:and|und|et|y|e|the|parts?|clauses?|sections?|of|in|partially|partly|teilweise|wird|is)(?!\p{L})|相[应應关關]|部分|的|条款|條款|[和及与與]/giu

/** The text in the brackets, if it may state a relation. */
export function relationInTitle(title: string): string | undefined {
  const inside = bracketed.exec(title)?.[1]
  return inside !== undefined && (anyMarker.test(fold(inside)) || isEnclosed(inside)) ? inside : undefined
}

/** If the brackets say something else too, they stay. */
export function withoutRelation(title: string): string {
  const inside = relationInTitle(title)
  if (inside === undefined) return title
  const folded = fold(inside)
  const others = folded.replace(reference, ' ').replace(markerPattern, ' ').replace(beside, ' ')
  const isRelation = folded.search(reference) >= 0 && (isEnclosed(inside) || !/[\p{L}\p{N}]/u.test(others))
  return isRelation ? title.replace(bracketed, '') : title
}

/** `被 ADR 3 取代`, and nothing else. */
function isEnclosed(inside: string): boolean {
  const found = enclosedIn(inside, fold(inside))
  return found !== undefined && found.before.trim() === '' && found.after.trim() === ''
}
