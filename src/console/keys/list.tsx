import { useState } from 'preact/hooks'
import { AsksOnce } from '../parts/asks-once.tsx'
import { useWriting } from '../parts/context.ts'
import { Facts } from '../parts/facts.tsx'
import { Day, Instant } from '../parts/link.tsx'
import type { Key } from '../service/service.ts'
import { type Standing, standingOf } from './wording.ts'

const shownAtOnce = 50

interface KeyListProps {
  /** Newest first. */
  keys: readonly Key[]
  onRevoked(key: Key): void
}

export function KeyList({ keys, onRevoked }: KeyListProps) {
  const [most, setMost] = useState(shownAtOnce)
  const now = new Date().toISOString()
  return (
    <>
      {keys.slice(0, most).map((key) => (
        <One key={key.id} shown={key} standing={standingOf(key, now)} onRevoked={() => onRevoked(key)} />
      ))}
      {keys.length > most && (
        <button type="button" class="other" onClick={() => setMost(most + shownAtOnce)}>
          Show more
        </button>
      )}
    </>
  )
}

function One({ shown, standing, onRevoked }: { shown: Key; standing: Standing; onRevoked(): void }) {
  const { id, name, user, teams, scopes, created_at, expires_at, last_used_at, revoked_at } = shown
  const writing = useWriting<true>()
  const revoke = async () => {
    const isDone = await writing.send((service) => service.revokeKey(id).then(() => true as const), id)
    if (isDone) onRevoked()
    return isDone ?? false
  }
  return (
    <section class="card titled key" aria-label={name}>
      <h3>
        {name} <span class={standing === 'valid' ? 'tag good' : 'tag'}>{standing}</span>
      </h3>
      <Facts
        facts={[
          ['May', scopes.join(', ')],
          ['Acts as', user === null ? 'itself' : `the user ${user}`],
          ['Teams', teams.join(', ')],
          ['Created', <Instant key="created" at={created_at} />],
          ['Last used', last_used_at === null ? 'never' : <Instant at={last_used_at} />],
          ['Expires', expires_at && <Day at={expires_at} />],
          ['Revoked', revoked_at && <Instant at={revoked_at} />],
          ['Id', <code key="id">{id}</code>],
        ]}
      />
      {standing !== 'revoked' && (
        <AsksOnce
          label="Revoke it"
          asks={`Whoever uses the key “${name}” is refused within 5 seconds. This can’t be undone. If you are signed in with it, you must sign in with another.`}
          writing={writing}
          onConfirm={revoke}
        />
      )}
    </section>
  )
}
