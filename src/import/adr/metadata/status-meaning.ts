/** Tells what a status line is about: this record, a part of it, or another one. */
import { stillInForce } from '../document/dictionary.ts'

/** Whether a clause says so, and not of another record: `; the limits are still in force`. */
export function saysStillInForce(text: string): boolean {
  return text.split(/[.;。；]/u).some((clause) => {
    const [before = '', ...more] = clause.split(stillInForce)
    return more.length > 0 && !doubt.test(before) && !/\uE000|\[|\badr[\s-]?\d/iu.test(clause)
  })
}

/** `Unclear whether the rule is still in force`. */
const doubt = /(?<!\p{L})(?:not|no|if|whether|until|nicht|ob|bis|n[ãa]o|se|si|ne)(?!\p{L})|是否|[如若]果|不再/iu

/** “Remplace [ADR 7]” (replaces) is about another record. Without accents, it looks like the status “remplacé” (replaced). */
export const isAboutOther = (text: string) => replaces.test(text) || isReplacedPart(text)

const replaces =
  /^[^\p{L}]*(?:(?:remplace|supersède)(?!\p{L})|ersetzt\s+(?:(?:teilweise|nur|damit)\s+)*(?:den|die|das|einen?|eine|Punkte?n?|Abschnitte?n?|Absatz|Absätze|Ziffern?|Nummern?|Kapitel|Regeln?|Satz|Sätze|Teile?)(?!\p{L}))/iu

/** “Replaced point 2 of ADR 7” tells what this record did. */
export const isReplacedPart = (text: string) =>
  /^[^\p{L}]*(?:replaced|superseded|amended)\s+(?:only\s+)?(?:the\s+)?(?:points?|sections?|parts?|paragraphs?|rules?|clauses?|items?|chapters?)\s[^.;]{0,80}?\b(?:of|in|from)\s/iu.test(
    text,
  )
