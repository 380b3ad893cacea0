import { expect, it } from 'vitest'
import { definitionOf, format } from '../../../src/adapters/elasticsearch/definition.ts'
import { storedOf } from '../../../src/adapters/elasticsearch/stored.ts'
import { hashOf, staleVersion } from '../../support/fixed-texts.ts'
import { fixedDocuments } from '../fixed-documents.ts'

/** The hash of the definition and of stored documents for each format. Add a line for a new format; never change one. */
const hashes: Readonly<Record<number, string>> = {
  1: 'c09f0bbb0d3f611859627c94d7aa14c147512ff2d07b4f151059d5b192510525',
  2: 'f36106ff026513d95c6c3f3dcac1ca479253b6ad99fcedd56231a026c367c035',
  3: 'e74a65b01c61e26f6f17f77dbe8174fdf1a08c5b40755e13746b3e0308cc04f8',
  4: '80812904de1267fad2bc3ff843d77c966b73c61dac6e571275a029d43da86963',
}

it('the format of Elasticsearch indexes is raised whenever their definition or their documents change', () => {
  const { settings, mappings } = definitionOf({ prefix: 'p', analysis: 1 }, 'live')
  const hash = hashOf([settings, mappings, fixedDocuments(Float32Array.of(0.5, -0.25)).map(storedOf)])
  const stale = staleVersion('The definition or documents', 'format in src/adapters/elasticsearch/definition.ts')
  expect(hash, stale).toBe(hashes[format])
})
