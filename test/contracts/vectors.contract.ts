/** The contract of every search adapter for vectors (src/ports/search.ts). */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Audience, RecordId, WorkspaceId } from '../../src/ids.ts'
import type { Neighbour, SearchDocument, SearchEngine, SearchFilter, Vector } from '../../src/ports/search.ts'
import { EngineUnavailable } from '../../src/ports/unavailable.ts'
import { cosine } from '../../src/text/space.ts'
import { hashedVector } from '../support/hashed-vectors.ts'
import { equal } from '../support/search-query.ts'
import { indexesIn } from './indexes.ts'
import { documentOf, everyone, type OpenSearch, workspace } from './search.contract.ts'

export const dimensions = 24

export function vectorOf(text: string, space = 'words'): Vector {
  return { space, values: hashedVector(text, dimensions) }
}

/** Its vector is made from its words. */
export function embeddedOf(id: string, words: string, fields: Partial<SearchDocument> = {}): SearchDocument {
  return { ...documentOf(id, words), vector: vectorOf(words), ...fields }
}

export function vectorsContract(name: string, open: OpenSearch): void {
  describe(`${name}: the contract of vectors`, () => {
    let engine: SearchEngine
    beforeAll(async () => {
      engine = await open()
    })
    afterAll(() => engine.close())
    const { indexOf, show } = indexesIn(() => engine, 'vectors')

    const near = (index: string, text: string, filter: Partial<SearchFilter> = {}, terms: string[] = []) =>
      engine.nearest(index, { ...everyone, ...filter }, vectorOf(text), terms, 200)
    const ids = (found: readonly Neighbour[]) => found.map(({ id }) => id)

    it('vectors can be compared on this platform', async () => {
      expect(await engine.vectorFault()).toBeUndefined()
    })

    describe('nearest documents', () => {
      it('neighbours come nearest first, with their cosine and the fields of a candidate', async () => {
        const index = await indexOf(
          embeddedOf('far', 'tulips bloom'),
          embeddedOf('near', 'automobile insurance insurance', { valid_to: '2030-01-01T00:00:00.000Z' }),
          documentOf('none', 'automobile'),
        )
        const found = await near(index, 'car insurance', {}, ['car', 'insurance'])
        expect(found).toEqual([
          {
            id: 'near',
            record_id: 'near',
            kind: 'decision',
            version: 1,
            valid_from: '2024-01-01T00:00:00.000Z',
            valid_to: '2030-01-01T00:00:00.000Z',
            length: 3,
            frequencies: [0, 2],
            places: [[], [1, 2]],
            cosine: expect.closeTo(
              cosine(vectorOf('car insurance').values, vectorOf('automobile insurance insurance').values),
              4,
            ),
          },
          expect.objectContaining({ id: 'far', frequencies: [0, 0] }),
        ])
      })

      it('neighbours beyond the limit are left out', async () => {
        const index = await indexOf(...['car', 'boat', 'tram', 'train'].map((word) => embeddedOf(word, word)))
        const found = await engine.nearest(index, everyone, vectorOf('train'), [], 1)
        expect(ids(found)).toEqual(['train'])
      })

      it('neighbours come only from the given space', async () => {
        const index = await indexOf(embeddedOf('d', 'car'))
        expect(await engine.nearest(index, everyone, vectorOf('car', 'other words'), [], 10)).toEqual([])
        const wider = { space: 'wide words', values: hashedVector('car', 2 * dimensions) }
        expect(await engine.nearest(index, everyone, wider, [], 10)).toEqual([])
        await show(index, { ...documentOf('e', 'car'), vector: wider })
        expect(ids(await engine.nearest(index, everyone, wider, [], 10))).toEqual(['e'])
        expect(ids(await near(index, 'car'))).toEqual(['d'])
      })

      const at = (year: number) => `${year}-01-01T00:00:00.000Z`
      const cases: [string, Partial<SearchDocument>, Partial<SearchFilter>, Partial<SearchDocument>][] = [
        ['workspace', {}, {}, { workspace: 'other' as WorkspaceId }],
        ['audiences', {}, {}, { audience: 'user:eva' }],
        ['kinds', {}, { kinds: ['decision'] }, { kind: 'memory' }],
        ['category', { category: 'security' }, { category: 'security' }, { category: 'product' }],
        ['significance', { significance: 'high' }, { significance: 'high' }, {}],
        ['surface', { surface: 'backend' }, { surface: 'backend' }, { surface: 'frontend' }],
        ['a type of entity', { entity_types: ['team', 'repo'] }, { entity_type: 'repo' }, { entity_types: ['team'] }],
        ['tags', { tags: ['a:1', 'b:1'] }, { tags: [['a:1', 'a:2'], ['b:1']] }, { tags: ['a:1'] }],
        ['until', { valid_from: at(2022) }, { until: at(2022) }, { valid_from: at(2023) }],
        ['except', { tags: ['a:1'] }, { except: { tag: 's:1', as_of: at(2024) } }, { tags: ['s:1'] }],
        ['since', { valid_from: at(2023) }, { since: at(2022) }, { valid_from: at(2022) }],
        ['as_of', { valid_to: at(2025) }, { as_of: at(2024) }, { valid_to: at(2024) }],
      ]
      for (const [what, passes, filter, fails] of cases) {
        it(`a filter by ${what} applies before neighbours are counted`, async () => {
          const others = Array.from({ length: 30 }, (_, n) => embeddedOf(`out-${n}`, 'car', fails))
          const index = await indexOf(embeddedOf('in', 'boat', passes), ...others)
          expect(ids(await engine.nearest(index, { ...everyone, ...filter }, vectorOf('car'), [], 1))).toEqual(['in'])
        })
      }

      it('neighbours exclude everything that the caller does not see', async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(anyDocument, { maxLength: 30 }), anyCaller, async (documents, caller) => {
            const all = documents.map((document, n) => ({ ...document, id: `d${n}`, record_id: `d${n}` as RecordId }))
            const seen = all.filter(
              (document) => document.workspace === caller.workspace && caller.audiences.includes(document.audience),
            )
            const [mixed, alone] = [await indexOf(...all), await indexOf(...seen)]
            const of = async (index: string) => sorted(await engine.nearest(index, caller, vectorOf('a b'), ['a'], 200))
            expect(await of(mixed)).toEqual(await of(alone))
          }),
          { numRuns: 8 },
        )
      })

      it('nearest() throws EngineUnavailable if the index is lost', async () => {
        const index = await indexOf(embeddedOf('d', 'car'))
        await engine.drop(index)
        await expect(near(index, 'car')).rejects.toBeInstanceOf(EngineUnavailable)
        await expect(engine.unembedded(index, workspace, 'words', ['d'])).rejects.toBeInstanceOf(EngineUnavailable)
      })
    })

    describe('a vector', () => {
      it('a vector is added only to its own version, and changes nothing else', async () => {
        const index = await indexOf(documentOf('d', 'car', { category: 'product' }))
        expect(await near(index, 'car')).toEqual([])
        await show(index, embeddedOf('d', 'car', { category: 'product' }))
        expect(ids(await near(index, 'car', { category: 'product' }))).toEqual(['d'])
        const { items, statistics } = await engine.candidates(index, everyone, equal(['car']), 10)
        expect(items).toMatchObject([{ id: 'd', version: 1, frequencies: [1] }])
        expect(statistics).toEqual({ documents: 1, length: 1, document_frequencies: [1] })
      })

      it('a vector of an older version is never used', async () => {
        const index = await indexOf(embeddedOf('d', 'car'))
        await show(index, documentOf('d', 'boat', { version: 2 }))
        await show(index, embeddedOf('d', 'car'))
        expect(await near(index, 'car')).toEqual([])
        expect(await engine.unembedded(index, workspace, 'words', ['d'])).toEqual(['d'])
        await show(index, embeddedOf('d', 'boat', { version: 2 }))
        expect((await near(index, 'boat'))[0]?.cosine).toBeCloseTo(1, 4)
      })

      it('a vector is dropped with a tombstone, and moves with its document to another audience', async () => {
        const index = await indexOf(embeddedOf('gone', 'car'), embeddedOf('moved', 'car'))
        await show(index, { ...documentOf('gone', 'car', { version: 2 }), tombstone: true })
        await show(index, documentOf('moved', 'car', { version: 2, audience: 'user:eva' }))
        expect(await near(index, 'car')).toEqual([])
        await show(index, embeddedOf('gone', 'car'))
        expect(await near(index, 'car', { audiences: ['workspace', 'user:eva'] })).toEqual(
          // if the engine keeps the vector of a text that did not change
          expect.not.arrayContaining([expect.objectContaining({ id: 'gone' })]),
        )
      })

      it('a vector does not affect candidates by words', async () => {
        const words = ['car repair', 'boat', 'car car', 'tulips']
        const plain = await indexOf(...words.map((text, n) => documentOf(`d${n}`, text)))
        const embedded = await indexOf(...words.map((text, n) => embeddedOf(`d${n}`, text)))
        const of = (index: string) => engine.candidates(index, everyone, equal(['car', 'boat']), 200)
        expect(await of(embedded)).toEqual(await of(plain))
      })

      it('a vector replaces one of another space', async () => {
        const index = await indexOf(embeddedOf('d', 'car'))
        const vector = { space: 'later', values: hashedVector('car', 2 * dimensions) }
        await show(index, { ...documentOf('d', 'car'), vector })
        expect(await near(index, 'car')).toEqual([])
        expect(ids(await engine.nearest(index, everyone, vector, [], 10))).toEqual(['d'])
      })
    })

    it('unembedded() names the documents that lack a vector of a space', async () => {
      const index = await indexOf(
        embeddedOf('has', 'car'),
        documentOf('lacks', 'car'),
        { ...documentOf('gone', 'car'), tombstone: true },
        embeddedOf('other', 'car', { vector: vectorOf('car', 'later') }),
      )
      const all = ['has', 'lacks', 'gone', 'other', 'absent']
      expect((await engine.unembedded(index, workspace, 'words', all)).sort()).toEqual(['lacks', 'other'])
      expect((await engine.unembedded(index, workspace, 'never', all)).sort()).toEqual(['has', 'lacks', 'other'])
      expect(await engine.unembedded(index, workspace, 'words', [])).toEqual([])
    })
  })
}

/** The engine chooses the order of equal cosines. */
function sorted(found: readonly Neighbour[]) {
  return found
    .map(({ cosine: value, ...candidate }) => ({ ...candidate, cosine: value.toFixed(4) }))
    .sort((x, y) => (x.id < y.id ? -1 : 1))
}

const audience = fc.constantFrom<Audience>('workspace', 'user:eva', 'user:max', 'team:red')
const space = fc.constantFrom('acme' as WorkspaceId, 'other' as WorkspaceId)
const anyDocument = fc
  .record({
    workspace: space,
    audience,
    words: fc.array(fc.constantFrom(...'abcdefgh'), { minLength: 1, maxLength: 5 }),
  })
  .map(({ words, ...fields }) => embeddedOf('', words.join(' '), fields))
const anyCaller: fc.Arbitrary<SearchFilter> = fc.record({
  workspace: space,
  audiences: fc.uniqueArray(audience, { minLength: 1 }),
})
