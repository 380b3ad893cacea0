import { useState } from 'preact/hooks'

interface SignInProps {
  onKey(key: string, where: 'tab' | 'browser'): void
  /** The service did not know the key that was used. */
  wasUnknown: boolean
}

export function SignIn({ onKey, wasUnknown }: SignInProps) {
  const [key, setKey] = useState('')
  const [stays, setStays] = useState(false)
  const submit = (event: Event) => {
    event.preventDefault()
    if (key.trim() !== '') onKey(key.trim(), stays ? 'browser' : 'tab')
  }
  return (
    <main class="sign-in">
      <h1>Precedent</h1>
      <p>What is known, what was decided, and what is open. Enter your API key to read it.</p>
      {wasUnknown && (
        <p class="refusal" role="alert">
          The service does not know this key. It may have been revoked.
        </p>
      )}
      <form onSubmit={submit}>
        <label>
          API key
          <input
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
