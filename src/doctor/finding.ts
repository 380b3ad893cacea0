/** The result of one check of `precedent doctor`. */
export interface Finding {
  /** What was checked: an environment variable or a part of the machine. */
  what: string
  /** note: it works, but could be better. wrong: it must be corrected. */
  state: 'ok' | 'note' | 'wrong'
  /** What was found: one sentence. */
  found: string
  /** What to do. Set unless the state is ok. */
  remedy?: string
}

export const ok = (what: string, found: string): Finding => ({ what, state: 'ok', found })
export const note = (what: string, found: string, remedy: string): Finding => ({ what, state: 'note', found, remedy })
export const wrong = (what: string, found: string, remedy: string): Finding => ({ what, state: 'wrong', found, remedy })

/** Differences between clocks in ms. Clocks matter because they decide the order of receipts. */
const worthANote = 1_000
const tooMuch = 30_000

/** `there`: the engine's clock, read between `before` and `after` of this machine's clock. */
export function clockFinding(what: string, there: number, before: number, after: number): Finding {
  // the time that the request took is not a difference
  const ahead = there < before ? there - before : Math.max(0, there - after)
  const seconds = `${(Math.abs(ahead) / 1000).toFixed(1)} s ${ahead < 0 ? 'behind' : 'ahead of'} this machine's`
  const remedy = 'Synchronise the clocks of all machines with NTP: they decide the order of writes.'
  if (Math.abs(ahead) >= tooMuch) return wrong(what, `its clock is ${seconds}`, remedy)
  if (Math.abs(ahead) >= worthANote) return note(what, `its clock is ${seconds}`, remedy)
  return ok(what, 'its clock agrees with this machine’s')
}

/** For a check that threw: the engine is unavailable, or refuses the call. */
export function unavailableFinding(what: string, error: unknown, remedy: string): Finding {
  // if a host name has several addresses, the message is in the first of several errors
  const { message, errors } = error as AggregateError
  const said = message || (errors?.[0] as Error | undefined)?.message || String(error)
  return wrong(what, said.replaceAll(/\s+/g, ' ').trim(), remedy)
}
