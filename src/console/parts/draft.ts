/** Texts that a reader has typed and not sent. They stay while the reader looks at other pages of the console. */
import { useEffect, useState } from 'preact/hooks'

/** By what is written, such as `supersede <id>`. */
const drafts = new Map<string, unknown>()

/** Something is typed and not sent. */
export function hasDraft(of: string): boolean {
  return drafts.has(of)
}

/**
 * Like useState. Setting what equals `initial` forgets the draft. While it differs, the browser asks before the tab is closed
 * or loaded again.
 */
export function useDraft<Value>(of: string, initial: Value): [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(() => (drafts.has(of) ? (drafts.get(of) as Value) : initial))
  const isTyped = drafts.has(of)
  useEffect(() => {
    if (!isTyped) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isTyped])
  const set = (next: Value) => {
    if (JSON.stringify(next) === JSON.stringify(initial)) drafts.delete(of)
    else drafts.set(of, next)
    setValue(next)
  }
  return [value, set]
}

/** Another reader may use the tab. */
export function forgetDrafts(): void {
  drafts.clear()
}
