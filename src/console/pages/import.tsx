/** Imports a folder or files: first shows what was found, then sends it. */
import { Choose } from '../import/choose.tsx'
import { nameOf } from '../import/chosen.ts'
import { DryRun } from '../import/dry-run.tsx'
import { EndOfImport } from '../import/ended.tsx'
import { Going } from '../import/going.tsx'
import { type Importing, useImport } from '../import/session.ts'
import { Page } from '../parts/page.tsx'

export function ImportPage() {
  const importing = useImport()
  const { chosen } = importing
  return (
    <Page title={chosen === undefined ? 'Import' : `Import: ${nameOf(chosen.files)}`}>
      <Step importing={importing} />
    </Page>
  )
}

function Step({ importing }: { importing: Importing }) {
  const { state, stop, choose } = importing
  switch (state.step) {
    case 'choose':
      return <Choose importing={importing} refusal={state.refusal} />
    case 'reading':
      return (
        <Going
          text={`Reading: ${told(state.files, state.of)} files.`}
          done={state.files}
          of={undefined}
          onStop={stop}
        />
      )
    case 'found':
      return <DryRun importing={importing} state={state} />
    case 'importing': {
      const { done, of, beside, retrying } = state
      const more = beside === '' ? '' : `, ${beside}`
      return (
        <Going
          text={`Importing: ${told(done, of)} records applied${more}.`}
          done={done}
          of={of || undefined}
          onStop={stop}
        >
          {retrying !== undefined && <p>{retrying} It is tried again.</p>}
          <p class="hint">You can look at other pages meanwhile. Keep this tab open.</p>
        </Going>
      )
    }
    case 'ended':
      return (
        <>
          <EndOfImport ended={state.ended} what={state.what} />
          <button type="button" class="other" onClick={() => choose()}>
            Import something else
          </button>
        </>
      )
  }
}

function told(done: number, of: number): string {
  return of === 0 ? done.toLocaleString() : `${done.toLocaleString()} of ${of.toLocaleString()}`
}
