/** Writes the lines of a brief for its records, each with its citation. */
import { withoutQuestion } from '../../../claims/note.ts'
import { dateTold } from '../../../records/imported.ts'
import { titleWithStatus } from '../../../records/present/present.ts'
import { tellsClaim } from '../../../records/superseded-claims.ts'
import type { Material } from '../choose/material.ts'
import type { Item } from '../find/found.ts'
import { cutAtWord } from '../text/cut.ts'
import { dueDay, heldUntil, periodIn } from '../text/due.ts'
import { inLine, oneLine } from '../text/in-line.ts'
import { leftOpen } from '../text/left-open.ts'
import { plainText } from '../text/plain-text.ts'
import { summaryAbout, summaryOf } from '../text/summary.ts'
import { cautionOf, dayOf, privacyOf } from './lines.ts'
import type { Page } from './page.ts'

/** Approximate characters of each summary. */
const judged = 280
const reasoned = 180
const consequent = 160
const remembered = 420
const longestCorrection = 200
/** The same of a record that is told in one line. */
export const inShort = 180
/** Code points of the title of the record that will take the place of another one. */
const longestSuccessor = 80
/** Of a decision fewer characters are not told. */
const leastJudged = 90

export interface LineForm {
  /** ISO 8601. */
  now: string
  /** Approximate characters of a record that is told in one line. undefined: it is told in full. */
  short: number | undefined
  /** Code points. */
  longestTitle: number
  /** Its line only names the record: it has no day of its own. */
  isNamed: boolean
  /** Only what the record of a session says is left to do. */
  isLeft: boolean
  /** The line begins with the kind of the record, because the heading names another kind. */
  namesKind: boolean
}

export function itemLine(item: Item, material: Material, page: Page, form: LineForm): string {
  if (item.kind !== 'decision') return memoryLine(item, material, page, form)
  return form.short === undefined
    ? decisionLine(item, material, page, form)
    : shortDecisionLine(item, material, page, { ...form, short: form.short })
}

/** How a line begins: with the kind of the record, if the heading names another one. */
function startOf({ kind }: Item, { namesKind }: LineForm): string {
  return namesKind || kind === 'correction' ? `- ${kindNames[kind]}: ` : '- '
}

const kindNames: { readonly [kind in Item['kind']]: string } = {
  decision: 'Decision',
  constraint: 'Constraint',
  commitment: 'Commitment',
  fact: 'Fact',
  correction: 'Corrected',
  session_outcome: 'From an earlier session',
}

function decisionLine(item: Item, material: Material, page: Page, form: LineForm): string {
  const { record } = item
  const { rationale = null, consequences = null, decided_by = [] } = material.bodies.get(record.id) ?? {}
  const cautions = cautionsOn(item, material, page, form.now)
  const facts = [dateTold(record), ...privacyOf(record), ...marks(record), ...byWhom(decided_by), ...cautions].join(
    ', ',
  )
  const summary = summaryOf(material.texts.get(record.id) ?? '', judged)
  const reasons =
    labelled('Why', rationale, reasoned, summary) + labelled('It means', consequences, consequent, summary)
  // in one line, so that nobody reads the title or the judgment without what cautions against it
  const line = `${startOf(item, form)}${titled(nameOf(item, material), summary)} (${facts}) ${page.cite(record)}`
  return `${line}${reasons}${correctionLines(item, material, page, form)}`
}

/** A title that was made of the whole text is not told twice. */
function titled(title: string, text: string): string {
  const isAll = text.startsWith(title) && !/[\p{L}\p{N}]/u.test(text.slice(title.length))
  return isAll ? `**${inLine(title)}**` : `**${inLine(title)}**: ${inLine(text)}`
}

/** The rationale of a rejected proposal speaks for it, so only the note of the person who rejected it says why. */
function whyRejected({ record }: Item, { bodies, rejections }: Material): string | null {
  return rejections.get(record.record_id) ?? bodies.get(record.id)?.rationale ?? null
}

/** What the judgment does not say already. */
function labelled(label: string, text: string | null, length: number, summary: string): string {
  const shortened = text === null ? '' : summaryOf(text, length)
  return shortened === '' || summary.includes(shortened.slice(0, 60)) ? '' : `\n  ${label}: ${inLine(shortened)}`
}

function shortDecisionLine(item: Item, material: Material, page: Page, form: LineForm & { short: number }): string {
  const { record } = item
  const days = form.isNamed ? [] : [dateTold(record)]
  const facts = [...days, ...privacyOf(record), ...cautionsOn(item, material, page, form.now)]
  const said = summaryAbout(material.terms, material.passages.get(record.id) ?? '', form.short)
  // half a sentence adds nothing to the title
  const name = cutAtWord(nameOf(item, material), form.longestTitle)
  const told = form.short < leastJudged ? `**${inLine(name)}**` : titled(name, said)
  // a reader who does not know why it was rejected may propose it again
  const reason = record.status === 'rejected' ? labelled('Why', whyRejected(item, material), reasoned, said) : ''
  const cited = `${inBrackets(facts)}${page.cite(record)}${reason}${correctionLines(item, material, page, form)}`
  return `${startOf(item, form)}${told} ${cited}`
}

function memoryLine(item: Item, material: Material, page: Page, form: LineForm): string {
  const { now, short, isLeft, longestTitle } = form
  const { record } = item
  const [text, passage] = [material.texts.get(record.id) ?? '', material.passages.get(record.id) ?? '']
  const length = short ?? remembered
  const left = isLeft && text.length > length ? leftOpen(text) : ''
  const all = left || (text.length <= length ? text : passage)
  const summary =
    short === undefined ? summaryOf(all, length) : summaryAbout(left === '' ? material.terms : [], all, short)
  const title = oneLine(plainText(record.title)).replace(/[….]$/, '')
  const isRetracted = tellsRetracted(item, material)
  const sentence = summary || (isRetracted ? allCorrected : record.title)
  const isTitled = !isRetracted && !sentence.startsWith(title) && (left !== '' || !text.startsWith(title))
  const label = isTitled ? `**${inLine(cutAtWord(title, longestTitle))}**: ` : ''
  const days = form.isNamed ? [] : [dayOf(record.valid_from), ...confirmedOn(item)]
  const facts = [...days, ...privacyOf(record), ...cautionsOn(item, material, page, now)]
  return `${startOf(item, form)}${label}${inLine(sentence)} ${inBrackets(facts)}${page.cite(record)}${correctionLines(item, material, page, form)}`
}

function inBrackets(facts: readonly string[]): string {
  return facts.length === 0 ? '' : `(${facts.join(', ')}) `
}

/** The day on which a person confirmed it, or it was recorded again. */
function confirmedOn({ record, said_at }: Item): string[] {
  return said_at > record.valid_from ? [`confirmed ${dayOf(said_at)}`] : []
}

/** What a reader must know before relying on the record: a failure, a newer record, or a day that has passed. */
function cautionsOn(
  { record, kind }: Item,
  { outdated, outcomes, texts, ends }: Material,
  page: Page,
  now: string,
): string[] {
  const newer = outdated.get(record.record_id)
  const outcome = outcomes.get(record.record_id)
  const worked = outcome === undefined ? undefined : cautionOf[outcome]
  const found = worked === undefined ? [] : [worked]
  const end = ends.get(record.record_id)
  if (end)
    found.unshift(`until ${dayOf(end.at)}, then “${inLine(cutAtWord(titleWithStatus(end.record), longestSuccessor))}”`)
  const text = texts.get(record.id) ?? ''
  const held = heldUntil(text)
  const due = kind === 'commitment' ? dueDay(text, record.valid_from) : undefined
  // “the API stays until 2026-03-31”: nothing is due then
  if (due !== undefined && due !== held) found.unshift(due < dayOf(now) ? `was due on ${due}: done?` : `due by ${due}`)
  const period = kind === 'commitment' ? undefined : periodIn(text)
  if (period !== undefined && period.to >= dayOf(now)) found.push(`from ${period.from} until ${period.to}`)
  const until = period?.to ?? held
  // the day stands in the text, and the newer record is only a guess
  if (until !== undefined && until < dayOf(now)) return [...found, `perhaps outdated: ended on ${until}`]
  return newer === undefined ? found : [...found, `perhaps outdated by ${page.cite(newer.record)}`]
}

const allCorrected = 'All of it was corrected.'

/** A decision is known by its title, even if that tells what was corrected. */
function nameOf(item: Item, material: Material): string {
  const title = titleWithStatus(item.record)
  return tellsRetracted(item, material) ? `${title} (corrected)` : title
}

/** The title tells a claim that was corrected. */
function tellsRetracted({ record }: Item, { corrections }: Material): boolean {
  return (corrections.get(record.id) ?? []).some(({ claim }) => tellsClaim(record.title, claim))
}

/** The superseded claims of a record beside what corrects them. */
function correctionLines({ record }: Item, { corrections }: Material, page: Page, form: LineForm): string {
  const corrected = Math.min(longestCorrection, form.longestTitle)
  return (corrections.get(record.id) ?? [])
    .map(({ claim, by, text }) => {
      const [was, is] = [
        inLine(cutAtWord(oneLine(claim), corrected)),
        inLine(summaryOf(withoutQuestion(claim, text), corrected)),
      ]
      // a question has no truth that could end: it was answered
      const gone = claim.trimEnd().endsWith('?') ? `Answered: “${was}”` : `Corrected: “${was}” no longer holds.`
      return `\n  ${gone} ${is} (${dayOf(by.valid_from)}) ${page.cite(by)}`
    })
    .join('')
}

function marks({ significance }: Item['record']): string[] {
  return significance === 'strategic' || significance === 'significant' ? [significance] : []
}

function byWhom(names: readonly string[]): string[] {
  if (names.length === 0) return []
  const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
  return [`by ${inLine(names.slice(0, 3).join(', '))}${more}`]
}
