/** Divides the text of a relation into sentences and clauses. References are marked with private characters (markdown.ts). */

export function sentences(text: string): string[] {
  return text.split(
    /(?<=[.!?](?:\*\*|__)?)\s+(?=[\p{Lu}\uE000])|(?<=[。！？])|\n(?=\s*[-*•]|(?:[^\p{L}\n]*(?:superse|superce|replaced|amend|deprecat|reject|accept)))/iu,
  )
}

/** The verb behind a reference that says that the record still holds: `ADR 8 stands unchanged`. */
export const unchanged = '(?:stands?|stays?|remains?|keeps?|is|are|applies|bleib\\p{L}*|gilt|reste\\p{L}*)(?!\\p{L})'

/**
 * Up to a semicolon, unless a reference follows it that is not the subject of a verb: `; ADR 8 stands unchanged`,
 * `; ADR 8's queue and ADR 9 stand` and `; ADR 8's limits remain applicable`.
 */
export const clauseOf = (text: string) => text.split(clauseEnd, 1)[0] ?? ''

const ofOwnClause =
  '(?<!(?:which|that|who)\\s)(?:stands?|stays?|holds?|remains?|keeps?|continues?|appl(?:y|ies)|governs?|still|(?:is|are)(?!\\s+(?:also\\s+)?(?:supers|replac|amend)))(?!\\p{L})'

const clauseEnd = new RegExp(
  `[;；](?!\\s*(?:and\\s+)?(?:(?:of|von|de|du)\\s+)?(?:the\\s+)?(?:\\uE000|[ml]?ADR|#?\\d))|[;；](?=\\s*(?:\\uE000\\d+\\uE001|[ml]?ADR[\\s#-]?\\d+|\\d+)\\s*(?:\\([^()]*\\)\\s*)?${unchanged})|[;；](?=[^;；.]*\\s${ofOwnClause})`,
  'iu',
)

/** `Extends ADR 3 without changing it`: then the other record is not amended. */
export const leavesUnchanged =
  /(?<!\p{L})(?:without (?:affecting|altering|amending|changing|modifying|replacing|touching) (?:it|them|either|that (?:adr|decision|record))|ohne (?:ihn|es|sie) zu (?:andern|ersetzen)|sans (?:le|la|les) (?:changer|modifier|remplacer)|sin (?:cambiar|modificar)l[ao]s?)(?!\p{L})/u
