import type { ComponentChildren } from 'preact'
import { Progress } from '../parts/progress.tsx'

interface GoingProps {
  text: string
  done: number
  /** undefined: not known yet. */
  of: number | undefined
  onStop(): void
  children?: ComponentChildren
}

/** Work that goes on, how far it is, and a button that stops it. */
export function Going({ text, done, of, onStop, children }: GoingProps) {
  return (
    <section class="card">
      <Progress text={text} done={done} of={of} />
      {children}
      <div class="row">
        <button type="button" class="other" onClick={onStop}>
          Stop
        </button>
      </div>
    </section>
  )
}
