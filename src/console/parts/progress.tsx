import { useId } from 'preact/hooks'

interface ProgressProps {
  /** How far it is, in words. */
  text: string
  done: number
  /** undefined: not known yet. */
  of: number | undefined
}

export function Progress({ text, done, of }: ProgressProps) {
  const id = useId()
  return (
    <div class="progress">
      <p role="status" id={id}>
        {text}
      </p>
      {of === undefined ? (
        <progress aria-labelledby={id} />
      ) : (
        <progress aria-labelledby={id} max={Math.max(of, 1)} value={done} />
      )}
    </div>
  )
}
