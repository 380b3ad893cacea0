/** Keeps what was computed of an object as long as the object lives: a statement is compared with many others. */
export function oncePer<Of extends object, Result>(compute: (of: Of) => Result): (of: Of) => Result {
  const known = new WeakMap<Of, { result: Result }>()
  return (of) => {
    const found = known.get(of) ?? { result: compute(of) }
    known.set(of, found)
    return found.result
  }
}
