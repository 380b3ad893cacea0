/** The records that a question is about: their claims and, once the question is opened, their sources and texts. */
import type { Decision, Memory, Question } from '../../service/service.ts'
import { pathOfRecord } from '../addresses.ts'
import { useReading } from '../context.ts'
import { Day, Link, Sources } from '../link.tsx'
import { Markdown } from '../markdown.tsx'
import { Read } from '../told.tsx'
import { isAboutOldProposals, type RecordInQuestion } from './wording.ts'

/** Records named while the question is not opened. */
const fewRecords = 5

export function RecordsOf({ question, isOpen }: { question: Question; isOpen: boolean }) {
  const { records, reason } = question
  if (isAboutOldProposals(question)) return <OldProposals records={records} isOpen={isOpen} />
  if (reason === 'contradiction') {
    return (
      <div class="sides">
        {records.map((record, at) => (
          <section class="side" key={record.id} aria-label={at === 0 ? 'The newer claim' : 'The older claim'}>
            <p>
              <strong>{at === 0 ? 'Newer' : 'Older'}:</strong> <Named record={record} />
            </p>
            <Claim text={record.claim ?? ''} />
            {isOpen && <Opened record={record} />}
          </section>
        ))}
      </div>
    )
  }
  return (
    <ul class="plain">
      {records.map((record) => (
        <li key={record.id}>
          {record.claim === undefined && 'The same failed before: '}
          <Named record={record} said={question.claim} />
          {isOpen && <Opened record={record} isProposal={reason === 'pending_judgment'} />}
        </li>
      ))}
    </ul>
  )
}

/** A claim is a passage of a record, so it may be Markdown. */
export function Claim({ text }: { text: string }) {
  return (
    <blockquote class="claim">
      <Markdown text={text} top={4} />
    </blockquote>
  )
}

function OldProposals({ records, isOpen }: { records: readonly RecordInQuestion[]; isOpen: boolean }) {
  const shown = isOpen ? records : records.slice(0, fewRecords)
  return (
    <>
      <ul class="plain">
        {shown.map((record) => (
          <li key={record.id}>
            <Named record={record} />
          </li>
        ))}
        {shown.length < records.length && <li class="hint">and {records.length - shown.length} more</li>}
      </ul>
      {isOpen && (
        <p class="hint">The answers below are for all of them. The page of each takes an answer to it alone.</p>
      )}
    </>
  )
}

/** A title that is the claim itself is not repeated. */
function Named({ record, said }: { record: RecordInQuestion; said?: string }) {
  const { kind, id, title, occurred_at, undated, claim } = record
  const name = kind === 'decision' ? 'Decision' : 'Memory'
  const isClaim = kind === 'memory' && (title === claim || title === said)
  return (
    <>
      {!isClaim && <span class="hint">{name} </span>}
      <Link to={pathOfRecord({ type: kind, id }) ?? ''}>{isClaim ? name : title}</Link>{' '}
      <span class="hint">
        <Day at={occurred_at} undated={undated} />
      </span>
    </>
  )
}

function Opened({ record, isProposal = false }: { record: RecordInQuestion; isProposal?: boolean }) {
  return record.kind === 'memory' ? (
    <OpenedMemory id={record.id} />
  ) : (
    <OpenedDecision id={record.id} {...{ isProposal }} />
  )
}

function OpenedMemory({ id }: { id: string }) {
  const reading = useReading((service, signal) => service.memory(id, signal), id)
  return <Read reading={reading}>{(memory) => <Details of={memory} text={memory.content} />}</Read>
}

function OpenedDecision({ id, isProposal }: { id: string; isProposal: boolean }) {
  const reading = useReading((service, signal) => service.decision(id, signal), id)
  return (
    <Read reading={reading}>
      {(decision) => {
        // a proposed revision stands beside the one in force
        const proposed = isProposal ? decision.revisions.find(({ status }) => status === 'proposed') : undefined
        return <Details of={decision} text={textOf(proposed ?? decision)} />
      }}
    </Read>
  )
}

function Details({ of: { sources, visibility }, text }: { of: Memory | Decision; text: string }) {
  return (
    <div class="opened">
      <p class="hint">{sources.length === 1 ? 'Source' : 'Sources'}</p>
      <Sources sources={sources} />
      {visibility.scope !== 'workspace' && (
        <p class="hint">{visibility.scope === 'private' ? 'Only you see it.' : 'Only a team sees it.'}</p>
      )}
      <details>
        <summary>The whole text</summary>
        <Markdown text={text} top={4} />
      </details>
    </div>
  )
}

function textOf(decision: Pick<Decision, 'judgment' | 'context' | 'rationale' | 'consequences'>): string {
  const { judgment, context, rationale, consequences } = decision
  const parts = { Context: context, Rationale: rationale, Consequences: consequences }
  const more = Object.entries(parts).flatMap(([name, text]) => (text ? [`# ${name}\n\n${text}`] : []))
  return [judgment, ...more].join('\n\n')
}
