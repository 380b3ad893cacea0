/** What would be imported, and the button that imports it. */
import { useLocation } from 'preact-iso/router'
import type { Found as Counts } from '../../cli/import/found.ts'
import { pathOfImport } from '../parts/addresses.ts'
import { Choice } from '../parts/choice.tsx'
import { useSurroundings } from '../parts/context.ts'
import { useDraft } from '../parts/draft.ts'
import { Form, Opens } from '../parts/form.tsx'
import { Refused } from '../parts/told.tsx'
import { draftOfSource, Source } from './choose.tsx'
import { Found, Numbers } from './found.tsx'
import type { Importing, State } from './session.ts'

interface DryRunProps {
  importing: Importing
  state: Extract<State, { step: 'found' }>
}

export function DryRun({ importing, state: { what, refusal, isStopped } }: DryRunProps) {
  const { root } = useSurroundings()
  const { query, route } = useLocation()
  const { decisions, memories, tasks } = what.found
  const all = decisions + memories + tasks
  const show = query.show ?? ''
  return (
    <>
      {isStopped && (
        <p class="standing old" role="status">
          <strong>Stopped.</strong> What was sent stays. Import again to continue: nothing is recorded twice.
        </p>
      )}
      <Refused refusal={refusal === undefined ? undefined : { message: refusal }} />
      <p role="status">{all === 0 ? 'There is nothing to import.' : 'Nothing is sent yet. This would be imported:'}</p>
      <Numbers found={what.found} />
      {hasUndated(what.found) && (
        <p class="hint">
          The command may find dates in the git history, which a browser does not know: <code>precedent import</code>.
        </p>
      )}
      <div class="row">
        {all > 0 && (
          <button type="button" onClick={importing.send}>
            Import {all === 1 ? '1 record' : `${all.toLocaleString()} records`}
          </button>
        )}
        <button type="button" class="other" onClick={() => importing.choose()}>
          Choose something else
        </button>
      </div>
      <Opens id="source" title="Change the source" draft={draftOfSource}>
        <ChangeSource importing={importing} />
      </Opens>
      <div class="filters">
        <Choice
          text="Show"
          value={show}
          options={{ '': 'All records', check: 'Only records to check' }}
          onChange={(next) => route(root + (next === '' ? pathOfImport : `${pathOfImport}?show=${next}`))}
        />
      </div>
      <Found what={what} onlyToCheck={show === 'check'} />
    </>
  )
}

function ChangeSource({ importing: { chosen, read } }: { importing: Importing }) {
  const [source, setSource] = useDraft(draftOfSource, '')
  return (
    <Form
      writing={{ isSending: false, refusal: undefined }}
      submit="Read again"
      onSubmit={() => chosen && read(chosen.files, source.trim())}
    >
      <Source value={source} onValue={setSource} />
    </Form>
  )
}

function hasUndated({ format, decisions, dates }: Counts): boolean {
  return format === 'adr' && decisions > dates.text + dates.name
}
