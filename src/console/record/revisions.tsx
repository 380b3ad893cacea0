/** The revisions of a decision, each with what it changed. */
import { useState } from 'preact/hooks'
import { Difference } from '../parts/difference.tsx'
import { Day } from '../parts/link.tsx'

import { changedTexts, type Revision } from './differences.ts'

/** Revisions in one answer of the service. */
const mostRevisions = 50

/** `revisions`: newest first. */
export function Revisions({ revisions }: { revisions: readonly Revision[] }) {
  if (revisions.length < 2) return null
  return (
    <section id="revisions">
      <h2>Revisions</h2>
      <ol class="plain">
        {revisions.map((one, at) => (
          <li key={one.revision}>
            <OneRevision revision={one} before={revisions[at + 1]} />
          </li>
        ))}
      </ol>
      {revisions.length >= mostRevisions && <p class="hint">Older revisions are not shown.</p>}
    </section>
  )
}

function OneRevision({ revision, before }: { revision: Revision; before: Revision | undefined }) {
  const [wasOpened, setWasOpened] = useState(false)
  const changes = before === undefined ? [] : changedTexts(before, revision)
  const names = changes.map(({ label }) => label.toLowerCase()).join(', ')
  const facts = before === undefined ? [] : changedFacts(before, revision)
  return (
    <div>
      <strong>Revision {revision.revision}</strong> ({revision.status}), recorded on <Day at={revision.recorded_at} />
      {revision.shown && ' '}
      {revision.shown && <span class="tag good">shown above</span>}
      {facts.map((fact) => (
        <div key={fact}>{fact}</div>
      ))}
      {before !== undefined && changes.length === 0 && <div class="hint">No text changed.</div>}
      {changes.length > 0 && (
        <details onToggle={(event) => event.currentTarget.open && setWasOpened(true)}>
          <summary>What changed: {names}</summary>
          {wasOpened && changes.map((change) => <Difference key={change.label} change={change} />)}
        </details>
      )}
    </div>
  )
}

function changedFacts(before: Revision, after: Revision): string[] {
  const changed = (name: string, old: string, now: string) => (old === now ? [] : [`${name}: ${old} → ${now}`])
  return [
    ...changed('Status', before.status, after.status),
    ...changed('Decided', before.decided_at.slice(0, 10), after.decided_at.slice(0, 10)),
  ]
}
