import { expect, it } from 'vitest'
import { isSupported } from '../../src/doctor/elasticsearch.ts'

it.each([
  ['7.17.29', false],
  ['8.7.1', false],
  ['8.8.0', true],
  ['8.19.21', true],
  ['9.2.0', true],
  ['10.0.0', false],
])('supports Elasticsearch %s: %s', (version, supported) => {
  expect(isSupported(version)).toBe(supported)
})
