/** Test files as `killedBy` of a mutant names them. */
export const inJournal = (name: string) => [`test/journal/${name}.test.ts`]
export const inIndexing = (name: string) => [`test/indexing/${name}.test.ts`]
