/**
 * Version of the text analysis: of everything that decides which tokens the search document of a record holds. That is
 * analyzer.ts with what it imports, and records/search-document.ts. Each search engine stores it with its indexes,
 * together with the version of its own format.
 *
 * Raise it by one with each change of the tokens: queries would miss documents that were analysed in another way. After
 * the upgrade, the older index serves until a new one is filled (indexing/next-version.ts). What only new documents hold,
 * such as a tag, gets its version in records/filter-versions.ts.
 */
export const analysisVersion = 5
