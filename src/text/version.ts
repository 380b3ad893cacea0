/**
 * Version of the text analysis: of everything that decides which tokens the search document of a record holds. That is
 * analyzer.ts with what it imports, and records/search-document.ts. Each search engine stores it with its indexes,
 * together with the version of its own format.
 *
 * Raise it by one with each change of the tokens: queries would miss documents that were analysed in another way. An
 * index of another version counts as lost, so every service rebuilds its indexes after the upgrade (PROTOCOL 3.4).
 */
export const analysisVersion = 3
