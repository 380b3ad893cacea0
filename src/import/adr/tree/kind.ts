/** Decides whether a file is a decision record, by its name, its folders and its content. */

import { isTemplateName } from '../document/placeholder.ts'
import type { LogFile } from '../log/decision-log.ts'
import type { ParsedAdr } from '../parse.ts'

/** Files that are read. */
export const recordFile = /\.(?:md|mdx|markdown|rst|adoc|asciidoc)$/i
/** `0016-handle-concurrent-writes`, `tokens-over-cookies`: the ending was forgotten, but the text is Markdown. */
const bareName = /^(?:(?:adr[-_])?\d{3,5}[-_]\p{L}[\p{L}\p{N}_-]+|\p{L}[\p{L}\p{N}]*(?:[-_ ][\p{L}\p{N}]+)+)$/iu
const otherTextFile = /\.(?:txt|org|textile|html?|docx?|pdf|odt)$/i
const tellingFolder =
  /^(?:decisions?|(?:architectur(?:e|al)|technical|design|engineering)[-_ ]?decisions?|entscheidungen|decisiones|decisoes|(?:.*[-_ ])?(?:[ml]?adrs?|decision[-_ ]?(?:records?|logs?))(?:[-_ ](?:docs?|records?|logs?|archived?|accepted|proposed|rejected|superseded|v?\d+|[a-z]{2}))?)$/i
const numbered = /^(?:[ml]?adr|rfc|edr|tdr|decision)?[-_ ]?(?:\d{1,8}|\d{12}|\d{14})(?:[-_. ]|$)/i
/** `2024-03-04-…`, as notes of meetings are named too. */
const dated = /^\d{4}-\d{2}-\d{2}/
/** `DDR-023-…` and `D12-…`: a team's own letter code. */
const coded = /^(?:[A-Z]{2,5}-\d{1,8}|[A-Z]-?\d{2,8})(?:[-_. ]|$)/
/** `adr-012-…`, `ACME-ADR-0012-…`: a decision record in whatever folder. */
const named = /^(?:[a-z]{2,10}[-_])?[ml]?adr[-_ ]?\d{1,8}(?:[-_. ]|$)/i
/** `adr012-use-one-file/README.md`: a folder for this decision. */
const ownFolder = /^(?:[a-z]{2,10}[-_])?[ml]?adr[-_ ]?\d{1,8}[-_. ]+\p{L}/iu
/** `rfc`, `design-docs`: folders of proposals that a team decides on. */
const proposalFolder = /^(?:rfcs?|proposals?|(?:design|tech|technical)[-_ ]?(?:docs?|documents?|proposals?))$/i
/** States that pages and components have too, not only decisions. */
const commonState =
  /^\P{L}*(?:published|draft|live|active|current|released|shipped|stable|done|completed?|final|in use|valid|open|wip|work in progress|in progress|pending|review)(?!\p{L})/iu
/** `2024`, `2024-05` and `2024-q2` hold the records of a time. */
const timeFolder = /^(?:19|20)\d\d(?:[-_]?(?:q[1-4]|h[12]|\d{1,2}))?$/i
/** Folders with notes of meetings, which may stand beside the records. */
const meetingFolder = /^(?:meetings?|minutes|(?:meeting[-_ ]?)?notes?|protokolle?)$/i
const mainFile = /^(?:readme|index|documentation)$/i
/** `SPEC-0004-…`: another kind of document beside the records. */
const specification =
  /^(?:SPEC|PRD|REQ)[-_ ]|^(?:spec(?:ification)?|prd|requirements?|runbook)s?[-_ ]?\d{1,8}(?:[-_. ]|$)/
const names = {
  readme: /^readme(?:[._-].*)?$/i,
  page: /^(?:meeting[-_ ]?(?:notes?|minutes)|minutes|contributing|contribution|changelog|license|licence|code[-_]of[-_]conduct|security|about|guide|guidelines?|how-?to|glossary)(?:[._-].*)?$/i,
  index:
    /^(?:_?index|summary|toc|contents|sidebar|_sidebar|overview|(?:adr|decision)s?[-_]?(?:log|list|index|overview)|log)$/i,
}
const numberZero = /^(?:[ml]?adr[-_ ]?)?0+[-_. ]+/i
const page = 'page about the project'
const notRecord = 'says that it is no decision record'

export type WhyNot =
  | 'template'
  | `template: ${string}`
  | 'specification'
  | 'readme'
  | typeof page
  | 'index'
  | typeof notRecord
  | 'no signs of a decision'

/** `folders`: the names of all folders above the file, including the folder that is imported. */
export function whyNoDecision(folders: readonly string[], name: string, adr: ParsedAdr): WhyNot | undefined {
  const base = name.replace(recordFile, '')
  const { signs } = adr
  // a status alone is no sign: guides and concepts have one too
  const recorded = signs.hasDecision || (signs.hasStatus && signs.sections + signs.reasons > 0)
  if (isTemplateName(base) || /^_?templates?$/i.test(folders.at(-1) ?? '')) return 'template'
  if (!numbered.test(base) && signs.isTemplate) return 'template'
  if (specification.test(base)) return 'specification'
  const unfilled = unfilledOf(adr, numbered.test(base))
  if (unfilled.length > 0) return `template: ${listOf(unfilled)} not filled in`
  const folder = folders.at(-1) ?? ''
  const telling = folders.some((one) => tellingFolder.test(one))
  const reasons = signs.sections + signs.reasons
  // a folder for each decision: 0001-use-one-file/index.md, 2024-03-01-use-one-file/README.md
  const isOne = numbered.test(folder) && !timeFolder.test(folder) && mainFile.test(base)
  const alone =
    (isOne &&
      folders.slice(0, -1).some((one) => tellingFolder.test(one)) &&
      (signs.hasDecision || signs.reasons > 0)) ||
    (ownFolder.test(folder) && mainFile.test(base) && (reasons > 0 || signs.hasDate)) ||
    (mainFile.test(base) && folders.length > 1 && isStatedDecision(folders, adr)) ||
    (numbered.test(folder) && (recorded || signs.reasons > 1) && reasons > 1) ||
    (telling && !tellingFolder.test(folder) && signs.hasDecision && signs.hasStatus && signs.sections > 2)
  if (names.readme.test(base.replace(/^0+[-_ ]/, '')) && !alone) return 'readme'
  if (names.page.test(base.replace(/^0+[-_ ]/, '')) && !alone) return page
  if (names.index.test(base) && !alone) return 'index'
  if (meetingFolder.test(folder) && dated.test(base) && !recorded) return 'no signs of a decision'
  // `0000-index.md`. A record with this number, such as `0000-use-adrs.md`, says what was decided
  if (numberZero.test(base) && names.index.test(base.replace(numberZero, '')) && !recorded) return 'index'
  if (signs.isIndex) return 'index'
  if (signs.saysItIsNone) return notRecord
  if (named.test(base) || (signs.isTyped && recorded)) return undefined
  const isNumbered = numbered.test(base) || coded.test(base) || alone
  const enough = telling
    ? isNumbered || recorded || (recordFile.test(name) && (reasons > 1 || (signs.hasDate && adr.title !== undefined)))
    : (signs.hasStatus && signs.sections > 1) ||
      (signs.hasStatus && isNumbered && !dated.test(base) && reasons > 1) ||
      (signs.hasDecision && signs.sections > 1 && ((isNumbered && !dated.test(base)) || signs.sections > 2)) ||
      (signs.hasStatus &&
        numbered.test(base) &&
        !dated.test(base) &&
        (signs.hasDate || signs.hasDecision) &&
        folders.some((one) => proposalFolder.test(one))) ||
      isNumberedProposal(folders, base, adr) ||
      alone
  return enough ? undefined : 'no signs of a decision'
}

/** `rfcs/0065-queue.md` with the title `RFC 65 - The queue`: no status, because a proposal is merged when it is accepted. */
function isNumberedProposal(folders: readonly string[], base: string, { number, signs }: ParsedAdr): boolean {
  const inName = /^(?:rfc[-_ ]?)?0*(\d{1,6})(?:[-_. ]|$)/i.exec(base)?.[1]
  const isSame = inName !== undefined && Number(inName) > 0 && number === Number(inName)
  return isSame && signs.sections + signs.reasons > 0 && folders.some((one) => proposalFolder.test(one))
}

/** `app-prefix/README.md`: only its metadata and its headings tell that it is a decision. */
function isStatedDecision(folders: readonly string[], { signs, status }: ParsedAdr): boolean {
  const says = signs.hasDecision || signs.reasons > 0
  const isOfProposals = folders.slice(0, -1).some((one) => proposalFolder.test(one))
  return signs.stated && says && (isOfProposals || !commonState.test(status?.text ?? ''))
}

/** The fields with a placeholder, if they make the file a template. */
export function unfilledOf({ signs }: ParsedAdr, isNumbered: boolean): string[] {
  const { placeholders, hasStatus, hasDate } = signs
  const weight = placeholders.reduce((sum, field) => sum + (field === 'title' || field === 'status' ? 2 : 1), 0)
  if (weight < 2) return []
  // someone forgot to fill in the title of a numbered file, or date and deciders of a record that says everything else
  if ((hasStatus && hasDate && isNumbered) || (hasStatus && signs.isFilled)) return []
  return [...new Set(placeholders)]
}

const listOf = (words: readonly string[]) => words.join(', ').replace(/, ([^,]+)$/, ' and $1')

/**
 * Whether a file has neither a number in its name nor a section that says what was decided, such as a page of principles
 * with a status and a date. It is no record among records that all have a number.
 */
export function isLoose(path: string, { signs }: ParsedAdr): boolean {
  return !hasNumber(path) && !signs.hasDecision && signs.reasons === 0 && signs.sections < 3
}

/** In the name of the file or of its folder. */
export function hasNumber(path: string): boolean {
  return path
    .split('/')
    .slice(-2)
    .some((name) => numbered.test(name.replace(recordFile, '')) || coded.test(name) || named.test(name))
}

/** What a name says about a file that may be a log of decisions. `isChosen`: the user chose this file, not a folder. */
export function logFileOf(folders: readonly string[], name: string, isChosen: boolean): LogFile {
  const base = name.replace(recordFile, '')
  const isRecord = [numbered, dated, coded, named].some((pattern) => pattern.test(base))
  if (isChosen || logName.test(base)) return { isRecord, told: 'name' }
  return { isRecord, told: folders.some((folder) => tellingFolder.test(folder)) ? 'folder' : undefined }
}

const logName =
  /^(?:.*[-_. ])?(?:decisions?|[ml]?adrs?|adl|(?:decisions?|adrs?)[-_. ]?(?:logs?|records?|register|history)|entscheidungen|decisiones|decisoes|décisions)$/iu

/** By its name: it may be a record. `folders`: as of whyNoDecision. */
export function isRecordFile(folders: readonly string[], name: string): boolean {
  return recordFile.test(name) || (bareName.test(name) && folders.some((folder) => tellingFolder.test(folder)))
}

/** The file is probably a record, but in a format that is not read. */
export function looksLikeRecord(folders: readonly string[], name: string): boolean {
  return otherTextFile.test(name) && numbered.test(name) && folders.some((folder) => tellingFolder.test(folder))
}
