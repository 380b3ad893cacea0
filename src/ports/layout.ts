/**
 * The layout of the stored documents. It changes with each change that is more than a new field, index or collection.
 * Each documents engine stores it, and refuses a store of another layout before it writes anything.
 */
export const layout = 1

/** Throws if the store has another layout. The message is for operators. */
export function assertLayout(found: number): void {
  if (found === layout) return
  const remedy =
    found > layout
      ? 'Start the version that wrote the store, or a newer one. To go back to this version, restore a backup that it took into an empty store.'
      : 'Start the version that wrote the store, take a backup with `precedent backup`, and restore it into an empty store with this version.'
  throw new Error(`The store has layout ${found}, this version of Precedent knows layout ${layout}. ${remedy}`)
}
