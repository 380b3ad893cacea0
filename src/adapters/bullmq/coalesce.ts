/** Many callers, few commands: what is asked while one is under way shares the next. */

/**
 * Never the one under way: it may have been carried out already, before what the later caller did.
 * `send` runs at most once at a time for a key; it is bounded by itself.
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
