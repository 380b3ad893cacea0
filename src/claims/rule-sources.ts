/**
 * Recognises sources that make the rule that a record states: a second source of a contract or a law would say the same,
 * so single_source is not asked about them.
 */
import type { PrecedentRecord, Source } from '../records/record.ts'

/** Words of the type or the title of a source whose text is itself the rule. */
const rules =
  /(?<![\p{L}\p{N}])(?:contracts?|agreements?|(?:msa|dpa|nda|sla|sow|tos|eula|gdpr|dsgvo|hipaa|ccpa|pci[ -]?dss|soc ?2|iso[ /-]?(?:iec[ -]?)?\d{3,5})|laws?|legislation|statutes?|acts?|regulations?|directives?|ordinances?|bylaws?|decrees?|treat(?:y|ies)|licen[cs]es?|leases?|permits?|polic(?:y|ies)|standards?|rfcs?|terms|conditions|charters?|court orders?|rulings?|judge?ments?|vertrag|verträge|gesetze?|verordnung(?:en)?|richtlinien?|satzung|agb|contrats?|lois?|règlements?|contratos?|ley(?:es)?|reglamentos?)(?![\p{L}\p{N}])/iu

/** Types and titles of sources in which someone asks for work. Such a source makes a rule only if its text is one. */
const tickets =
  /(?<![\p{L}\p{N}])(?:tickets?|issues?|tasks?|stor(?:y|ies)|jira|linear|change requests?|requirements?)(?![\p{L}\p{N}])/iu

/** Words by which a text commands or forbids. */
const commands =
  /(?<![\p{L}\p{N}])(?:must|shall|required?|requires|mandatory|may (?:not|only)|only|never|always|cannot|can['’]t|not allowed|(?:is|are) (?:allowed|permitted|forbidden|prohibited|limited)|forbidden|prohibited|no more than|at (?:most|least)|within|until|before|by \d|muss|müssen|darf|dürfen|soll(?:en)?|doit|doivent|interdit|debe|deben|prohibido)(?![\p{L}\p{N}])/iu

/** Whether the only source of the row is a contract, law or the like, or a ticket and the row is a rule. */
export function isStatedByRule({ sources, text }: Pick<PrecedentRecord, 'sources' | 'text'>): boolean {
  const [source] = sources
  if (source === undefined) return false
  const named = namesOf(source)
  return rules.test(named) || (tickets.test(named) && commands.test(text))
}

/** With separators as spaces: `terms_of_service`, `service-contract`. */
function namesOf({ type, title = '' }: Source): string {
  return `${type} ${title}`.replace(/[_/.-]+/g, ' ')
}
