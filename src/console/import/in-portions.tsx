import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

const atOnce = 50

/** A list that may be long: some of it, and more once the reader wants it. */
export function InPortions<One>({ all, children }: { all: readonly One[]; children: (one: One) => ComponentChildren }) {
  const [shown, setShown] = useState(atOnce)
  return (
    <>
      <ul class="plain">
        {all.slice(0, shown).map((one, at) => (
          <li key={at}>{children(one)}</li>
        ))}
      </ul>
      {shown < all.length && (
        <button type="button" class="other" onClick={() => setShown(shown + atOnce)}>
          Show more ({(all.length - shown).toLocaleString()} left)
        </button>
      )}
    </>
  )
}

/** Where something stands in the files. */
export function Place({ file, line }: { file: string; line?: number }) {
  return (
    <span class="place">
      {file}
      {line !== undefined && `:${line}`}
    </span>
  )
}
