/** Merges calls: all callers during a running call share the next one. */

/**
 * A caller never joins the running call, which may have taken effect before the caller's own change. At most one `send`
 * runs for each key. `send` must have a time limit of its own.
 */
export function coalesced(): (key: string, send: () => Promise<void>) => Promise<void> {
  const under = new Map<string, { current: Promise<void>; next?: Promise<void> }>()

  function begin(key: string, send: () => Promise<void>): Promise<void> {
    const current = send()
    const state = { current }
    under.set(key, state)
    const ended = () => {
      if (under.get(key) === state && !('next' in state)) under.delete(key)
    }
    current.then(ended, ended)
    return current
  }

  return (key, send) => {
    const state = under.get(key)
    if (state === undefined) return begin(key, send)
    state.next ??= state.current.then(
      () => begin(key, send),
      () => begin(key, send),
    )
    return state.next
  }
}
