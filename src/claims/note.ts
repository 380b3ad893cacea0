/** Reads the note by which a person answers which of two claims holds. */

export type Kept = 'newer' | 'older'

/** “Keep the older”, and what people write instead of it: “the older holds”, “Keep the old one.” */
const keeping =
  /^(?:please )?(?:keep )?(?:the )?(?<which>older|old|earlier|newer|new|latest)(?: (?:one|claim|record|statement|version))?(?: (?:still )?(?:holds|applies|stands)| is (?:still )?(?:right|correct|true|valid))?[.!]?$/i

/** The claim that the note keeps. undefined: it says something of its own. */
export function keptIn(note: string): Kept | undefined {
  const which = keeping.exec(note.trim())?.groups?.which
  if (which === undefined) return undefined
  return /^(?:new|latest)/i.test(which) ? 'newer' : 'older'
}

/** Whether it names a claim by its place (“the first one”), or only agrees. It would replace both claims and say nothing. */
export function saysNothing(note: string): boolean {
  return nothing.test(note.trim())
}

const nothing =
  /^(?:the )?(?:a|b|1|2|both|correct|false|first|former|latter|left|lower|neither|no|none|ok|right|second|true|upper|wrong|yes)(?: (?:one|claim|record|statement|version))?(?: (?:still )?(?:holds?|appl(?:y|ies)|stands?|(?:is|are) (?:right|correct|true|valid)))?[.!]?$/i
