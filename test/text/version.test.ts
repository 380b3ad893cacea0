import { expect, it } from 'vitest'
import { searchDocumentOf } from '../../src/records/search-document.ts'
import { analyze } from '../../src/text/analyzer.ts'
import { analysisVersion } from '../../src/text/version.ts'
import { fixedRecords, fixedTexts, hashOf, staleVersion } from '../support/fixed-texts.ts'

/** The hash of the tokens for each version of the text analysis. Add a line for a new version; never change one. */
const hashes: Readonly<Record<number, string>> = {
  1: '62e32ab078301ed7b824571925a12b7d78647b6c8d2dfbab8bdfdc3862725735',
  2: 'c6f24d4019e1613022dd12f8848b6b2035ab3b98a85b0fca9f93039cef99a1da',
  3: '2b42b4bc2eec6fef09c74a61fd8084484ea55fe964451f5d0feba307dfbdfc4c',
  4: '9b06727963da2c5d65987dcda161f691a193e7004b54305c3ccb533eb2bcddda',
  5: 'eb1567427164f6e0e11eff671190c9f589bb96c181aae1ee32092d43050cf37d',
}

it('the version of the text analysis is raised whenever the tokens of a text change', async () => {
  const hash = hashOf([fixedTexts.map(analyze), await Promise.all(fixedRecords.map((one) => searchDocumentOf(one)))])
  const stale = staleVersion('The tokens of search documents', 'analysisVersion in src/text/version.ts')
  expect(hash, stale).toBe(hashes[analysisVersion])
})
