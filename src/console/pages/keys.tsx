/** The keys of the workspace: who may call the service, and for what. For admins. */
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { CreateForm, draftOfKey } from '../keys/create-form.tsx'
import { KeyList } from '../keys/list.tsx'
import { Secret, useSecret } from '../keys/secret.tsx'
import { standingOf } from '../keys/wording.ts'
import { pathOfKeys, withQuery } from '../parts/addresses.ts'
import { useReading } from '../parts/context.ts'
import { Opens } from '../parts/form.tsx'
import { Link } from '../parts/link.tsx'
import { Page } from '../parts/page.tsx'
import { Read } from '../parts/told.tsx'

export function KeysPage() {
  const showsAll = useLocation().query.show === 'all'
  const reading = useReading((service, signal) => service.keys(signal), '')
  const [made, showMade] = useSecret()
  const [told, setTold] = useState('')
  return (
    <Page title="Keys">
      <Read reading={reading}>
        {({ items }) => {
          const now = new Date().toISOString()
          const valid = items.filter((key) => standingOf(key, now) === 'valid')
          return (
            <>
              {made && <Secret key={made.id} made={made} onDone={() => showMade(undefined)} />}
              <Opens id="new-key" title="New key" draft={draftOfKey}>
                <CreateForm
                  onMade={(next) => {
                    showMade(next)
                    setTold('')
                    reading.again()
                  }}
                />
              </Opens>
              <p role="status" id="told" tabIndex={-1}>
                {told}
              </p>
              <p>
                {valid.length === 1 ? '1 key is valid.' : `${valid.length} keys are valid.`}{' '}
                {items.length > valid.length && (
                  <Link to={withQuery(pathOfKeys, { show: showsAll ? '' : 'all' })}>
                    {showsAll ? 'Show only these' : `Show also ${items.length - valid.length} expired or revoked`}
                  </Link>
                )}
              </p>
              <KeyList
                keys={showsAll ? items : valid}
                onRevoked={({ name }) => {
                  setTold(`The key “${name}” is revoked.`)
                  // its button is gone
                  document.getElementById('told')?.focus()
                  reading.again()
                }}
              />
            </>
          )
        }}
      </Read>
    </Page>
  )
}
