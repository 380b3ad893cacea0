/** Skips tests with a reason, which the summary at the end of the run prints (summary.ts). */
declare module 'vitest' {
  interface TaskMeta {
    /** Why the tests are skipped. */
    skipped?: string
  }
}

/** Options for describe() and it(): skips if there is a reason. */
export function skipIf(reason: string | undefined): { skip?: true; meta?: { skipped: string } } {
  return reason === undefined ? {} : { skip: true, meta: { skipped: reason } }
}
