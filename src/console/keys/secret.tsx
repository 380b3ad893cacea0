import { useEffect, useState } from 'preact/hooks'
import { useSurroundings } from '../parts/context.ts'
import { Copy } from '../parts/copy.tsx'
import { focused } from '../parts/focused.ts'
import type { KeyMade } from '../service/service.ts'

/**
 * The key that was just made. It is nowhere but here: leaving the page, signing in with another key and the Back button
 * of the browser find it gone.
 */
export function useSecret(): [made: KeyMade | undefined, show: (made: KeyMade | undefined) => void] {
  const { service } = useSurroundings()
  const [made, show] = useState<KeyMade | undefined>(undefined)
  useEffect(() => {
    const clear = () => show(undefined)
    // the browser may keep a page to show it again
    addEventListener('pagehide', clear)
    return () => {
      removeEventListener('pagehide', clear)
      clear()
    }
  }, [service])
  return [made, show]
}

export function Secret({ made: { name, key }, onDone }: { made: KeyMade; onDone(): void }) {
  return (
    <section class="card titled" aria-labelledby="new-secret" tabIndex={-1} ref={focused}>
      <h2 id="new-secret">The key “{name}”</h2>
      <p>Copy it now: it is not shown again.</p>
      <p>
        <code class="secret">{key}</code>
      </p>
      <div class="row">
        <Copy text={key}>Copy the key</Copy>
        <button type="button" class="other" onClick={onDone}>
          I have copied it
        </button>
      </div>
    </section>
  )
}
