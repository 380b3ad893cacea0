/** Bounds the time of a call. */

/**
 * Calls `work` with a signal that is aborted after `ms`, or when the service stops. Not AbortSignal.any: with a signal
 * that lives as long as the process, each call would leak memory.
 */
export async function within<T>(
  ms: number,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController()
  const end = () => ending.abort()
  const timer = setTimeout(end, ms)
  stopping.addEventListener('abort', end)
  try {
    if (stopping.aborted) end()
    return await work(ending.signal)
  } finally {
    clearTimeout(timer)
    stopping.removeEventListener('abort', end)
  }
}
