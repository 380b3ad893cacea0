/** Combines calls with the same key: all calls made while one is running share the next one. */

/**
 * A call never shares the one that is already running, because that one may have taken effect before the caller did its
 * work. `send` runs at most once at a time for each key, and must end by itself.
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
