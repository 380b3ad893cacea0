/**
 * Versions of search indexes. A version is `FORMAT.ANALYSIS`: how the engine stores documents, and how their texts were
 * analysed (text/version.ts). `records-1@2.1` names the index records-1 of version 2.1.
 */

/** The name of an index of one version. */
export function inVersion(index: string, version: string): string {
  return `${index}@${version}`
}

/** Without a version in the name, it is `own`. */
export function partsOfName(name: string, own: string): { index: string; version: string } {
  const [index, version = own] = name.split('@') as [string, string?]
  return { index, version }
}

/** Neither part of the version is higher, and one is lower. */
export function isOlder(version: string, than: string): boolean {
  const [[format, analysis], [thanFormat, thanAnalysis]] = [numbersIn(version), numbersIn(than)]
  return version !== than && format <= thanFormat && analysis <= thanAnalysis
}

/** Versions that an engine can read and write, newest first: its own, and older ones from its oldest format on. */
export function usable(versions: readonly string[], own: string, oldestFormat: number): string[] {
  return versions
    .filter((one) => one === own || (isOlder(one, own) && numbersIn(one)[0] >= oldestFormat))
    .sort((one, other) => (isOlder(one, other) ? 1 : -1))
}

export function analysisOf(version: string): number {
  return numbersIn(version)[1]
}

function numbersIn(version: string): [format: number, analysis: number] {
  const [format = 0, analysis = 0] = version.split('.').map(Number)
  return [format, analysis]
}
