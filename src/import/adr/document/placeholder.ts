/** Recognises templates, and placeholders that nobody filled in. */
import { plainText } from './markdown.ts'

/** A placeholder of a template that was not filled in. */
export function isPlaceholder(source: string): boolean {
  const text = plainText(source)
    .replace(/^["']|["']$/g, '')
    .trim()
  // `proposed | accepted | rejected`
  if (markedChoice(source) === undefined && (text.match(/\s\|\s/g)?.length ?? 0) > 1) return true
  return (
    /^(?:\[[^\]]*(?:\||…|\.\.\.|\s\w+\s\w+)[^\]]*\]|\{[^}]*(?:\||…|\.\.\.|\s\w+\s\w+\s)[^}]*\}|<[^>]+>)(?:\s|$)/su.test(
      text,
    ) ||
    /^(?:19|20)?(?:xx|yy){1,2}[-/.](?:xx|mm|dd)[-/.](?:xx|mm|dd)$/i.test(text) ||
    /\bYYYY\b|\bJJJJ\b|\bAAAA\b|\bdd([/.-])mm\1yy/.test(text)
  )
}

/** The choice in bold, if it is the only one: `proposed | **accepted** | rejected`. */
export function markedChoice(source: string): string | undefined {
  const choices = source.split('|').map((choice) => choice.trim())
  const marked = choices.filter((choice) => /^(\*\*|__)[^*_]+\1$/.test(choice))
  return choices.length > 2 && marked.length === 1 ? marked[0] : undefined
}

/** The sentences and questions of the templates that most teams copy. */
const ofTemplate =
  /^(?:The issue motivating this decision, and any context that influences or constrains the decision\.|The change that we['’]re proposing or have agreed to implement\.|What becomes easier or more difficult to do and any risks introduced by the change that will need to be mitigated\.|What is the (?:issue|change) (?:that )?we(?:['’]re| are) (?:seeing|proposing)[^?]*\?|What becomes easier or more difficult to do because of this change\?|What other options were there\? Why were they rejected\?|Positive, negative or neutral\.?|\p{L}+ here(?:\.{3}|…))$/u

/** `TBD`, `(to be decided after the trial)`: one short sentence that says that there is no text yet. */
const isOpen =
  /^[^\p{L}\n]*(?:tb[ad]|todo|to be (?:announced|added|assessed|completed|decided|defined|determined|discussed|done|enumerated|filled in|written)|noch offen|noch zu (?:entscheiden|klären)|à (?:compléter|décider|définir|déterminer)|por (?:completar|decidir|definir)|не решено|待定|未定|미정)(?!\p{L})[^.!?:\n]{0,80}[^\p{L}\n]*$/iu

/** `Chosen option:` without an option. */
const unnamed = /^[*_]*(?:chosen|selected|preferred) (?:option|solution|alternative)s?[*_]*\s*:[\s*_"']*$/i

/** `{describe the outcome}`, `[option 1]`, but no link. */
const hole = /\{[^{}]*\}|\[[^[\]]*\](?![([:])/g
/** In square brackets, only a long text or a choice is no reference. */
const isTelling = (one: string) =>
  one.startsWith('{') ? /\s\S*\s/.test(one) : one.length > 40 || /\||…|\.{3}/.test(one)

/** Fenced blocks and code spans. Their braces and brackets are code. Each fence is read once, however long it is. */
const code = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n.*?(?:^ {0,3}\1[`~]*[^\S\n]*$|(?![\s\S]))|`[^`\n]{1,300}`/gms

/** A text of a template, such as `{describe the outcome}`, that nobody filled in. */
export function isUnfilled(text: string): boolean {
  if (ofTemplate.test(text.trim()) || isOpen.test(text.trim()) || unnamed.test(text.trim())) return true
  const body = text.replace(code, (one) => one.replace(/[{}[\]]/g, ' '))
  let tells = false
  const withoutHoles = (source: string) =>
    source.replace(hole, (one) => {
      tells ||= isTelling(one)
      return ''
    })
  // twice, because a placeholder may contain another
  const filled = withoutHoles(withoutHoles(body))
  return tells && filled.length < body.length * 0.5 && filled.replace(/[^\p{L}]/gu, '').length < 80
}

/** The paragraph that requirements copy from RFC 2119 says nothing about a decision. */
export function isBoilerplate(text: string): boolean {
  return text.length < 1000 && /^\W*the key words\b.{20,500}\binterpreted as described in\b/is.test(text)
}

const links = /\[([^[\]]*)\]\([^()\s]*\)|<?\bhttps?:\/\/[^\s<>]+>?|#\d+/g
const pointer =
  /^\W*(?:(?:see|cf|in|and|the|this|here|link|details?|prs?|mrs?|pull|merge|requests?|issues?|tickets?|commit|discussion|thread|page|wiki|document|decided|documented)\W+)*(?:[\w-]*\d+)?\W*$/i

/** `[PR 12](…)` alone does not say what was decided. `[Use one file](…)` does. */
export function pointsElsewhere(text: string): boolean {
  if (text.length > 300 || text.search(links) < 0) return false
  return pointer.test(`${text.replace(links, (_, name: string | undefined) => name ?? '')} `)
}

/** Instructions of a template: `Describe …`, `What will change?`. */
export function isInstruction(body: string): boolean {
  return (
    /^\W*(?:describe|explain|list|state|summari[sz]e|document|provide|outline|write|in this section|this section)\b/i.test(
      body,
    ) || /^[^.!?]*\?(?:\s[^.!?]*\?)*\s*$/.test(body)
  )
}

const templateWord =
  /^(?:templates?|samples?|examples?|vorlage|plantilla|modelo|mod[eè]le|gabarit|szablon|テンプレート|模板)$/i
/** Words beside `template` in a name: kinds of records, sizes, versions, languages. */
const besideTemplate =
  /^(?:[ml]?adrs?|[a-z]{1,8}0+|any|n{2,4}|(?:19|20)?(?:x{2,4}|y{2,4})|mm|dd|decision|records?|nygard|rfc|short|long|full|bare|minimal|simple|basic|light|lite|mini|extended|detailed|architecture|architectural|v?\d+|[a-z]{2}|english|german|french|spanish|italian|portuguese|an?|the)$/i

/** `0000-adr-template-de`, `ORG-ADR-0000-template`, but not `0012-template-engine`. */
export function isTemplateName(name: string, ofTeam = true): boolean {
  const words = name.split(/[-_.,: ]+/).filter((word) => word !== '')
  const at = words.findIndex((word) => templateWord.test(word))
  if (at < 0 || words.slice(0, at).some((word) => /^\D*0*[1-9]\d*$/.test(word) && !/^v/i.test(word))) return false
  const strange = words.filter((word) => !templateWord.test(word) && !besideTemplate.test(word))
  // `DEC-TEMPLATE`
  if (ofTeam && strange.length === 1 && words.length === 2 && at === 1 && /^[A-Z]{2,5}$/.test(strange[0] ?? ''))
    return true
  // the first word may be a team
  const team = ofTeam && strange[0] === words[0] && /^(?:[ml]?adr|decision|rfc|0+)$/i.test(words[1] ?? '')
  return strange.length === 0 || (strange.length === 1 && team)
}
