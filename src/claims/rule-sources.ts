/**
 * Recognises sources that make the rule that a record states: a second source of a contract or a law would say the same,
 * so single_source is not asked about them.
 */
import type { PrecedentRecord, Source } from '../records/record.ts'

/** Words in the name of a source whose text is itself the rule. */
const rules =
  /(?<![\p{L}\p{N}])(?:contracts?|agreements?|(?:msa|dpa|dpia|nda|sla|sow|tos|eula|gdpr|dsgvo|hipaa|ccpa|pci[ -]?dss|soc ?2|iso[ /-]?(?:iec[ -]?)?\d{3,5})|laws?|legislation|statutes?|acts?|regulations?|directives?|ordinances?|bylaws?|decrees?|treat(?:y|ies)|licen[cs]es?|leases?|permits?|certificates?|notices?|polic(?:y|ies)|standards?|rfcs?|terms|conditions|charters?|court orders?|rulings?|judge?ments?|manuals?|handbooks?|guidelines|code of (?:conduct|practice)|(?:impact|risk) assessments?|tariffs?|(?:fares?|fees?|prices?|rates?) (?:cards?|lists?|schedules?|sheets?|tables?)|data ?sheets?|(?<!\d )minutes|(?:board|council) resolutions?|vertrag|verträge|gesetze?|verordnung(?:en)?|richtlinien?|satzung|agb|handbuch|bescheide?|preisliste|contrats?|lois?|règlements?|contratos?|ley(?:es)?|reglamentos?)(?![\p{L}\p{N}])/iu

/** Sources in which someone asks for work. Such a source makes a rule only if its text is one. */
const tickets =
  /(?<![\p{L}\p{N}])(?:tickets?|issues?|tasks?|stor(?:y|ies)|jira|linear|change requests?|requirements?)(?![\p{L}\p{N}])/iu

/** Sources in which someone reports what others say. */
const messages =
  /(?<![\p{L}\p{N}])(?:e ?mails?|mails?|chats?|conversations?|calls?|phone|messages?|threads?|slack|sms)(?![\p{L}\p{N}])/iu

/** Words by which a text commands or forbids. */
const commands =
  /(?<![\p{L}\p{N}])(?:must|shall|required?|requires|mandatory|may (?:not|only)|only|never|always|cannot|can['’]t|not allowed|(?:is|are) (?:allowed|permitted|forbidden|prohibited|limited)|forbidden|prohibited|no more than|at (?:most|least)|within|until|before|by \d|muss|müssen|darf|dürfen|soll(?:en)?|doit|doivent|interdit|debe|deben|prohibido)(?![\p{L}\p{N}])/iu

/** Whether the only source of the row is a contract, law or the like, or a ticket and the row is a rule. */
export function isStatedByRule({ sources, text }: Pick<PrecedentRecord, 'sources' | 'text'>): boolean {
  const [source] = sources
  if (source === undefined) return false
  const type = inWords(source.type)
  const titled = `${type} ${inWords(source.title ?? '')}`
  const isTicket = tickets.test(titled)
  // `ACT-12` is a ticket, and the message `re-contract` is none itself
  if (rules.test(titled) || (!isTicket && !messages.test(type) && rules.test(placeOf(source)))) return true
  return isTicket && commands.test(text)
}

/** The id and the last part of the URL: `works-agreement-2026`, `https://acme.example/legal/TermsOfUse.pdf`. */
function placeOf({ id = '', url = '' }: Source): string {
  const isUrl = id.includes('://')
  return `${isUrl ? lastPartOf(id) : inWords(id)} ${lastPartOf(url)}`
}

/** Without the query: a link to a search names what was searched for. */
function lastPartOf(url: string): string {
  const path = url.replace(/[?#].*$/s, '')
  return inWords(path.split('/').findLast((part) => part !== '') ?? '')
}

/** With spaces where words begin: `terms_of_service`, `service-contract`, `rfc2119`. */
function inWords(name: string): string {
  return name.replace(/[_/.-]+|%20/g, ' ').replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\p{N})/gu, ' ')
}
