import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Entered } from '../service/key.ts'

interface SignInProps {
  onKey(entered: Entered): void
  /** The service did not know the key that was used. */
  wasUnknown: boolean
}

export function SignIn({ onKey, wasUnknown }: SignInProps) {
  const [key, setKey] = useState('')
  const [stays, setStays] = useState(false)
  const [isBroken, setIsBroken] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    // it may be that of a record
    const title = document.title
    document.title = 'Precedent'
    field.current?.focus()
    return () => {
      if (wasUnknown) document.title = title
    }
  }, [wasUnknown])
  const submit = (event: Event) => {
    event.preventDefault()
    const entered = key.trim()
    const isKey = /^[!-~]+$/.test(entered)
    setIsBroken(!isKey)
    if (isKey) onKey({ key: entered, where: stays ? 'browser' : 'tab' })
  }
  return (
    <main class="sign-in">
      <h1>Precedent</h1>
      <p>What is known, what was decided, and what is open. Enter your API key to read it.</p>
      {wasUnknown && !isBroken && (
        <p class="refusal" role="alert">
          The service does not know this key. It may have been revoked.
        </p>
      )}
      {isBroken && (
        <p class="refusal" role="alert">
          This is no API key: it has a space or another character that no key has. Copy the whole key again.
        </p>
      )}
      <form onSubmit={submit}>
        <label>
          API key
          <input
            ref={field}
            type="password"
            name="key"
            autoComplete="off"
            spellcheck={false}
            required
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </label>
        <label class="choice">
          <input type="checkbox" checked={stays} onChange={(event) => setStays(event.currentTarget.checked)} />
          Keep it in this browser until I sign out. Otherwise, it is kept in this tab only.
        </label>
        <button type="submit">Sign in</button>
      </form>
      <p class="hint">
        The first start of the service prints an admin key. <code>precedent keys create</code> makes more.
      </p>
    </main>
  )
}
