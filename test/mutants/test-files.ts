/** Paths of test files, for `killedBy` of mutants. */
export const inJournal = (name: string) => [`test/journal/${name}.test.ts`]
export const inIndexing = (name: string) => [`test/indexing/${name}.test.ts`]
