/** What the doctor says of one thing. */
export interface Finding {
  /** What was looked at: a variable, an engine, a folder. */
  what: string
  /** note: it works, and could be better. wrong: it must be changed. */
  state: 'ok' | 'note' | 'wrong'
  /** What was found: one sentence. */
  found: string
  /** What to do; of everything that is not ok. */
  remedy?: string
}

export const ok = (what: string, found: string): Finding => ({ what, state: 'ok', found })
export const note = (what: string, found: string, remedy: string): Finding => ({ what, state: 'note', found, remedy })
export const wrong = (what: string, found: string, remedy: string): Finding => ({ what, state: 'wrong', found, remedy })

/** Behind: receipts are put in order by the clocks of the processes that accept them. In ms. */
const noticed = 1_000
const tooMuch = 30_000

/** `there`: the engine's clock, read between two looks at ours. */
export function clockFinding(what: string, there: number, before: number, after: number): Finding {
  // what the question itself took is no difference
  const ahead = there < before ? there - before : Math.max(0, there - after)
  const seconds = `${(Math.abs(ahead) / 1000).toFixed(1)} s ${ahead < 0 ? 'behind' : 'ahead of'} this machine's`
  const remedy = 'Synchronise the clocks of all machines (NTP): the order of acceptance comes from them.'
  if (Math.abs(ahead) >= tooMuch) return wrong(what, `its clock is ${seconds}`, remedy)
  if (Math.abs(ahead) >= noticed) return note(what, `its clock is ${seconds}`, remedy)
  return ok(what, 'its clock agrees with this machine’s')
}

/** Of a check that threw: the engine is away, or refuses. */
export function awayFinding(what: string, error: unknown, remedy: string): Finding {
  // several addresses of one name, each refused: the message is in the first
  const { message, errors } = error as AggregateError
  const said = message || (errors?.[0] as Error | undefined)?.message || String(error)
  return wrong(what, said.replaceAll(/\s+/g, ' ').trim(), remedy)
}
