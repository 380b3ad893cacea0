/** The contract of every search adapter (src/ports/search.ts). */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Audience, RecordId, RecordKind, WorkspaceId } from '../../src/ids.ts'
import {
  type Candidates,
  longerTerms,
  type SearchDocument,
  type SearchEngine,
  type SearchFilter,
} from '../../src/ports/search.ts'
import { EngineUnavailable } from '../../src/ports/unavailable.ts'
import { pairsOf } from '../../src/text/matching.ts'
import { score } from '../../src/text/scorer.ts'
import { equal } from '../support/search-query.ts'
import { indexesIn, workspace } from './indexes.ts'

/** Opens an engine. It may have other indexes. */
export type OpenSearch = () => Promise<SearchEngine>

export { workspace }
export const everyone: SearchFilter = { workspace, audiences: ['workspace'] }

/** A decision with these words, visible to the workspace. */
export function documentOf(
  id: string,
  words: string,
  fields: Partial<Omit<SearchDocument, 'id' | 'tokens'>> = {},
): SearchDocument {
  return {
    id,
    record_id: id as RecordId,
    workspace,
    version: 1,
    kind: 'decision',
    audience: 'workspace',
    title: words,
    tokens: words === '' ? [] : words.split(' '),
    valid_from: '2024-01-01T00:00:00.000Z',
    valid_to: null,
    status: 'accepted',
    category: null,
    significance: null,
    surface: null,
    entity_types: [],
    tags: [],
    ...fields,
  }
}

export function searchContract(name: string, open: OpenSearch): void {
  describe(`${name}: the search contract`, () => {
    let engine: SearchEngine
    beforeAll(async () => {
      engine = await open()
    })
    afterAll(() => engine.close())
    const { indexOf, show } = indexesIn(() => engine, 'contract')

    async function found(index: string, terms: string, filter: Partial<SearchFilter> = {}): Promise<string[]> {
      const { items } = await engine.candidates(index, { ...everyone, ...filter }, equal(terms.split(' ')), 200)
      return items.map(({ id }) => id).sort()
    }

    it('frequencies counts visible documents with each term, up to a bound', async () => {
      const index = await indexOf(
        documentOf('one', 'queue store'),
        documentOf('two', 'queue'),
        documentOf('three', 'queue'),
        documentOf('hidden', 'secret store', { audience: 'agent:other' as Audience }),
      )
      const terms = ['secret', 'queue', 'store', 'nothing']
      expect(await engine.frequencies(index, everyone, terms, 2)).toEqual([0, 2, 1, 0])
      expect(await engine.frequencies(index, { ...everyone, kinds: ['memory'] }, terms, 2)).toEqual([0, 0, 0, 0])
    })

    describe('longer', () => {
      it('longer lists the terms of visible documents that begin with the given letters', async () => {
        const index = await indexOf(
          documentOf('one', 'kube kubernet kubelet kubelet kubelet kubelet kubelet other'),
          documentOf('two', 'kub kubec kubelet akube kube2 kube1.5'),
          documentOf('of memories', 'kubememory', { kind: 'memory' }),
          documentOf('hidden', 'kubesecret', { audience: 'user:eva' }),
          documentOf('elsewhere', 'kubeother', { workspace: 'other' as WorkspaceId }),
        )
        const decisions: SearchFilter = { ...everyone, kinds: ['decision'] }
        const seen = ['kube1.5', 'kube2', 'kubec', 'kubelet', 'kubernet']
        expect(await engine.longer(index, decisions, 'kube')).toEqual(seen)
        expect(await engine.longer(index, everyone, 'kubem')).toEqual(['kubememory'])
        const eva: SearchFilter = { ...everyone, audiences: ['workspace', 'user:eva'] }
        expect(await engine.longer(index, eva, 'kube')).toEqual([...seen, 'kubememory', 'kubesecret'].sort())
        expect(await engine.longer(index, everyone, 'kubelet')).toEqual([])
        expect(await engine.longer(index, { ...everyone, audiences: [] }, 'kube')).toEqual([])
      })

      it('longer lists terms of every script', async () => {
        const index = await indexOf(documentOf('one', 'миграц мигрант παραγγελια παραδοση データベース'))
        expect(await engine.longer(index, everyone, 'мигр')).toEqual(['мигрант', 'миграц'])
        expect(await engine.longer(index, everyone, 'παρα')).toEqual(['παραγγελια', 'παραδοση'])
        expect(await engine.longer(index, everyone, 'データ')).toEqual(['データベース'])
      })

      it('longer lists no term of a document that was replaced or deleted', async () => {
        const index = await indexOf(
          documentOf('one', 'kubernet'),
          documentOf('two', 'kubelet'),
          documentOf('c', 'kubex'),
        )
        await show(index, documentOf('one', 'kubectl', { version: 2 }))
        await show(index, { ...documentOf('two', '', { version: 2 }), tombstone: true })
        await engine.remove(index, workspace, ['c'], 1)
        await engine.refresh(index, workspace)
        expect(await engine.longer(index, everyone, 'kube')).toEqual(['kubectl'])
      })

      it('longer lists a term that only old documents hold, beside one that many newer documents hold', async () => {
        const many = Array.from({ length: 120 }, (_, n) => documentOf(`d${n}`, 'kubernet', { version: n + 2 }))
        const index = await indexOf(documentOf('old', 'kubelet'), ...many)
        expect(await engine.longer(index, everyone, 'kube')).toEqual(['kubelet', 'kubernet'])
      })

      it('longer lists a bounded number of terms', async () => {
        const many = Array.from({ length: 400 }, (_, n) => `word${n} word${n} word${n} word${n}`)
        const index = await indexOf(documentOf('many', many.join(' ')))
        const found = await engine.longer(index, everyone, 'word')
        expect(found.length).toBeGreaterThan(0.4 * longerTerms)
        expect(found.length).toBeLessThanOrEqual(longerTerms)
        expect(found).toEqual([...new Set(found)].sort())
      })
    })

    describe('candidates', () => {
      it('candidates are the documents with at least one of the terms, with exact lengths, frequencies and places', async () => {
        const index = await indexOf(
          documentOf('both', 'queue store queue queue queue queue'),
          documentOf('one', 'store cache'),
          documentOf('none', 'cache'),
        )
        const { items, statistics } = await engine.candidates(index, everyone, equal(['queue', 'store', 'absent']), 200)
        expect(ranked({ items, statistics })).toEqual(['both', 'one'])
        expect(items.find(({ id }) => id === 'both')).toEqual({
          id: 'both',
          record_id: 'both',
          kind: 'decision',
          version: 1,
          valid_from: '2024-01-01T00:00:00.000Z',
          valid_to: null,
          length: 6,
          frequencies: [5, 1, 0],
          places: [[0, 2, 3, 4, 5], [1], []],
        })
        expect(statistics).toEqual({ documents: 3, length: 9, document_frequencies: [1, 2, 0] })
      })

      it('candidates beyond the limit are those with the fewest terms', async () => {
        const many = Array.from({ length: 30 }, (_, n) => documentOf(`weak-${n}`, 'store cache cache cache'))
        const index = await indexOf(...many, documentOf('best', 'queue store'), documentOf('good', 'queue cache'))
        const { items } = await engine.candidates(index, everyone, equal(['queue', 'store']), 2)
        expect(items.map(({ id }) => id)).toEqual(['best', 'good'])
      })

      it('candidates beyond the limit are those whose terms have the least weight', async () => {
        const many = Array.from({ length: 30 }, (_, n) => documentOf(`rare-${n}`, 'queue cache'))
        const often = Array.from({ length: 40 }, (_, n) => documentOf(`often-${n}`, 'store cache'))
        const index = await indexOf(...often, ...many)
        const best = async (weights: number[]) => {
          const query = { terms: ['queue', 'store'], weights }
          const { items } = await engine.candidates(index, everyone, query, 10)
          return new Set(items.map(({ id }) => id.split('-')[0]))
        }
        expect(await best([1, 1])).toEqual(new Set(['rare']))
        expect(await best([1, 3])).toEqual(new Set(['often']))
      })

      it('candidates of an empty index are empty', async () => {
        const index = await indexOf()
        expect(await engine.candidates(index, everyone, equal(['queue']), 10)).toEqual({
          items: [],
          statistics: { documents: 0, length: 0, document_frequencies: [0] },
        })
      })

      it('candidates are found by terms of every script, with signs, and of 64 characters', async () => {
        const terms = ['c++', 'c#', 'v1.2', '10.0.0.1', 'データ', 'ไทย', 'ελλαδα', '𝛼', 'क्षि', 'x'.repeat(64)]
        const index = await indexOf(...terms.map((term, n) => documentOf(`d${n}`, term)), documentOf('c', 'c'))
        for (const [n, term] of terms.entries()) expect(await found(index, term), term).toEqual([`d${n}`])
      })

      it('candidates are found by 64 terms at once', async () => {
        const terms = Array.from({ length: 64 }, (_, n) => `term${n}`)
        const index = await indexOf(documentOf('last', 'term63 term0 term63'))
        const { items } = await engine.candidates(index, everyone, equal(terms), 10)
        expect(items[0]?.frequencies).toEqual(terms.map((_, n) => (n === 63 ? 2 : n === 0 ? 1 : 0)))
      })

      it('candidates are found in documents with thousands of tokens', async () => {
        const long = Array.from({ length: 20_000 }, (_, n) => `word${n % 3000}`).join(' ')
        const index = await indexOf(documentOf('long', `${long} needle needle`))
        const { items } = await engine.candidates(index, everyone, equal(['needle', 'word7']), 10)
        expect(items).toMatchObject([{ length: 20_002, frequencies: [2, 7] }])
      })
    })

    describe('filters', () => {
      const at = (year: number) => `${year}-01-01T00:00:00.000Z`
      const long = 'a:'.repeat(100)
      const exceptIn2024 = { except: { tag: 's:1', as_of: at(2024) } }
      const cases: [string, Partial<SearchDocument>, Partial<SearchFilter>, Partial<SearchDocument>][] = [
        ['kinds', { kind: 'decision' }, { kinds: ['decision', 'task'] }, { kind: 'memory' }],
        ['category', { category: 'security' }, { category: 'security' }, { category: 'product' }],
        ['a category of several words', { category: 'A "b" c' }, { category: 'A "b" c' }, { category: 'a "b" c' }],
        ['significance', { significance: 'high' }, { significance: 'high' }, {}],
        ['surface', { surface: 'backend' }, { surface: 'backend' }, { surface: 'frontend' }],
        ['a type of entity', { entity_types: ['team', 'repo'] }, { entity_type: 'repo' }, { entity_types: ['team'] }],
        ['since, which excludes its instant', { valid_from: at(2023) }, { since: at(2022) }, { valid_from: at(2022) }],
        ['as_of: begun', { valid_from: at(2022) }, { as_of: at(2022) }, { valid_from: at(2023) }],
        ['as_of: not ended', { valid_to: at(2025) }, { as_of: at(2024) }, { valid_to: at(2024) }],
        ['a tag', { tags: ['a:1', 'b:1'] }, { tags: [['b:1']] }, { tags: ['b:2', 'a:b:1'] }],
        ['any of several tags', { tags: ['a:2'] }, { tags: [['a:1', 'a:2']] }, { tags: ['a:3'] }],
        [
          'several lists of tags',
          { tags: ['a:2', 'b:1'] },
          { tags: [['a:1', 'a:2'], ['b:1']] },
          { tags: ['a:1', 'a:2'] },
        ],
        ['a long tag', { tags: [`${long}1`] }, { tags: [[`${long}1`]] }, { tags: [`${long}2`] }],
        ['a tag with signs', { tags: ['e:A "b" c=é:1'] }, { tags: [['e:A "b" c=é:1']] }, { tags: ['e:a "b" c=é:1'] }],
        ['until, which includes its instant', { valid_from: at(2022) }, { until: at(2022) }, { valid_from: at(2023) }],
        ['since and until', { valid_from: at(2022) }, { since: at(2021), until: at(2022) }, { valid_from: at(2021) }],
        ['since, by the date', { valid_from: at(2020), dated: at(2023) }, { since: at(2022) }, { dated: at(2022) }],
        ['until, by the date', { valid_from: at(2024), dated: at(2022) }, { until: at(2022) }, { dated: at(2023) }],
        [
          'as_of, not the date',
          { valid_from: at(2022), dated: at(2030) },
          { as_of: at(2022) },
          { valid_from: at(2023) },
        ],
        ['except: another tag', { tags: ['s:2'] }, exceptIn2024, { tags: ['s:1'] }],
        ['except: ended', { tags: ['s:1'], valid_to: at(2024) }, exceptIn2024, { tags: ['s:1'], valid_to: at(2025) }],
        ['except: not begun', { tags: ['s:1'], valid_from: at(2025) }, exceptIn2024, { tags: ['s:1'] }],
        [
          'all of them at once',
          { category: 'security', surface: 'backend', entity_types: ['repo'] },
          { category: 'security', surface: 'backend', entity_type: 'repo', as_of: at(2024), kinds: ['decision'] },
          { category: 'security', surface: 'backend', entity_types: ['team'] },
        ],
      ]
      for (const [what, passes, filter, fails] of cases) {
        it(`a filter by ${what} finds only documents that pass it`, async () => {
          const index = await indexOf(documentOf('in', 'queue', passes), documentOf('out', 'queue', fails))
          expect(await found(index, 'queue')).toEqual(['in', 'out'])
          expect(await found(index, 'queue', filter)).toEqual(['in'])
        })
      }

      it('statistics count all documents of the workspace, audiences and kinds, regardless of other filters', async () => {
        const index = await indexOf(
          documentOf('a', 'queue store', { category: 'security' }),
          documentOf('b', 'queue', { valid_from: at(2030) }),
          documentOf('c', 'queue queue', { kind: 'memory' }),
        )
        const filter: SearchFilter = { ...everyone, kinds: ['decision'], category: 'security', as_of: at(2025) }
        const { items, statistics } = await engine.candidates(index, filter, equal(['queue']), 10)
        expect(items.map(({ id }) => id)).toEqual(['a'])
        expect(statistics).toEqual({ documents: 2, length: 3, document_frequencies: [2] })
      })

      it('filters find the few documents that pass among many that do not', async () => {
        const many = Array.from({ length: 400 }, (_, n) => documentOf(`no-${n}`, 'queue'))
        const index = await indexOf(
          documentOf('early', 'queue cache cache cache', {
            valid_from: at(2020),
            category: 'security',
            tags: ['a:1', 'b:1'],
          }),
          ...many,
        )
        expect(await found(index, 'queue', { as_of: at(2021) })).toEqual(['early'])
        expect(await found(index, 'queue', { category: 'security' })).toEqual(['early'])
        expect(await found(index, 'queue', { tags: [['a:1', 'a:2'], ['b:1']] })).toEqual(['early'])
      })
    })

    describe('versions', () => {
      it('searches show the newest version of a document for any order of upserts', async () => {
        await fc.assert(
          fc.asyncProperty(fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 1 }), fc.nat(3), async (order, cut) => {
            const index = await indexOf()
            const versions = order.map((version) => documentOf('d', `v${version} all`, { version }))
            // some in one batch, the others one by one
            await engine.upsert(index, versions.slice(0, cut))
            for (const document of versions.slice(cut)) await engine.upsert(index, [document])
            await show(index)
            const newest = Math.max(...order)
            const { items, statistics } = await engine.candidates(index, everyone, equal(['all', `v${newest}`]), 10)
            expect(items).toMatchObject([{ version: newest, frequencies: [1, 1] }])
            expect(statistics).toEqual({ documents: 1, length: 2, document_frequencies: [1, 1] })
          }),
          { numRuns: 12 },
        )
      })

      it('a new version moves its document to another audience, kind and set of terms', async () => {
        const index = await indexOf(documentOf('d', 'queue', { audience: 'user:eva' }))
        const eva: SearchFilter = { workspace, audiences: ['user:eva'] }
        expect(await found(index, 'queue', eva)).toEqual(['d'])
        await show(index, documentOf('d', 'store', { version: 2, kind: 'memory' }))
        expect(await found(index, 'store queue', eva)).toEqual([])
        expect(await found(index, 'queue')).toEqual([])
        expect(await found(index, 'store', { kinds: ['memory'] })).toEqual(['d'])
        expect(await engine.count(index, workspace)).toBe(1)
      })

      it('a new version can change only the validity and other fields', async () => {
        const index = await indexOf(documentOf('d', 'queue', { category: 'product' }))
        const until = '2024-06-01T00:00:00.000Z'
        await show(index, documentOf('d', 'queue', { version: 2, valid_to: until, category: 'security' }))
        const { items, statistics } = await engine.candidates(index, everyone, equal(['queue']), 10)
        expect(items).toMatchObject([{ version: 2, valid_to: until }])
        expect(statistics).toEqual({ documents: 1, length: 1, document_frequencies: [1] })
        expect(await found(index, 'queue', { as_of: until })).toEqual([])
        expect(await found(index, 'queue', { category: 'product' })).toEqual([])
        expect(await found(index, 'queue', { category: 'security' })).toEqual(['d'])
      })

      it('an upsert of the same version changes nothing', async () => {
        const index = await indexOf(documentOf('d', 'queue'))
        await show(index, documentOf('d', 'store'))
        expect(await found(index, 'queue')).toEqual(['d'])
        expect(await found(index, 'store')).toEqual([])
      })

      it('a tombstone keeps its version, so an older document does not come back', async () => {
        const gone = (version: number) => ({ ...documentOf('d', 'queue', { version }), tombstone: true })
        const index = await indexOf(documentOf('d', 'queue'), documentOf('other', 'queue'))
        await show(index, gone(3))
        await show(index, documentOf('d', 'queue', { version: 2 }))
        expect(await found(index, 'queue')).toEqual(['other'])
        expect(await engine.count(index, workspace)).toBe(1)
        expect((await engine.candidates(index, everyone, equal(['queue']), 10)).statistics).toEqual({
          documents: 1,
          length: 1,
          document_frequencies: [1],
        })
        await show(index, documentOf('d', 'queue', { version: 4 }))
        expect(await found(index, 'queue')).toEqual(['d', 'other'])
        await show(index, { ...gone(9), id: 'never-there' })
        expect(await engine.count(index, workspace)).toBe(2)
      })
    })

    describe('removal', () => {
      it('removes documents up to a version, from what is found and from the counts', async () => {
        const index = await indexOf(
          documentOf('old', 'queue', { version: 3 }),
          documentOf('new', 'queue', { version: 4 }),
          documentOf('other', 'queue', { version: 3 }),
        )
        await engine.remove(index, workspace, ['old', 'new', 'never-there'], 3)
        await engine.remove(index, workspace, [], 3)
        await engine.refresh(index, workspace)
        expect(await found(index, 'queue')).toEqual(['new', 'other'])
        expect(await engine.count(index, workspace)).toBe(2)
        expect((await engine.candidates(index, everyone, equal(['queue']), 10)).statistics).toEqual({
          documents: 2,
          length: 2,
          document_frequencies: [2],
        })
      })

      it('keeps nothing of documents, so they come back with a version after the removal', async () => {
        const ids = Array.from({ length: 128 }, (_, at) => `d${at}`)
        const index = await indexOf(...ids.map((id) => documentOf(id, 'queue', { version: 3 })))
        for (const round of [1, 2]) {
          await engine.remove(index, workspace, ids, 3 * round + 1)
          await show(index, ...ids.map((id) => documentOf(id, 'queue', { version: 3 * round + 2 })))
          expect(await found(index, 'queue')).toEqual([...ids].sort())
        }
      })
    })

    describe('visibility', () => {
      it('documents of other workspaces, audiences and kinds are neither found nor counted', async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(anyDocument, { maxLength: 40 }), anyCaller, async (documents, caller) => {
            const all = documents.map((document, n) => ({ ...document, id: `d${n}`, record_id: `d${n}` as RecordId }))
            const seen = all.filter(
              (document) =>
                document.workspace === caller.workspace &&
                caller.audiences.includes(document.audience) &&
                (caller.kinds?.includes(document.kind) ?? true),
            )
            const [mixed, alone] = [await indexOf(...all), await indexOf(...seen)]
            const terms = ['a', 'b', 'c', 'd', 'e']
            const ofMixed = await engine.candidates(mixed, caller, equal(terms), 200)
            const ofAlone = await engine.candidates(alone, caller, equal(terms), 200)
            expect(ofMixed.statistics).toEqual(ofAlone.statistics)
            const asked = { ...equal(terms), pairs: pairsOf(terms, terms) }
            const scored = (of: Candidates) => score(of.items, of.statistics, asked)
            expect(scored(ofMixed)).toEqual(scored(ofAlone))
          }),
          { numRuns: 25 },
        )
      })

      it('documents of another index are not found', async () => {
        const [one, other] = [await indexOf(documentOf('d', 'queue')), await indexOf(documentOf('e', 'queue store'))]
        expect(await found(one, 'queue store')).toEqual(['d'])
        expect(await engine.count(other, workspace)).toBe(1)
      })

      it('documents of many audiences are found at once', async () => {
        const audiences = Array.from({ length: 120 }, (_, n): Audience => `team:${n}`)
        const index = await indexOf(...audiences.map((audience, n) => documentOf(`d${n}`, 'queue', { audience })))
        expect((await found(index, 'queue', { audiences })).length).toBe(120)
        expect((await found(index, 'queue', { audiences: audiences.slice(0, 50) })).length).toBe(50)
      })
    })

    describe('indexes', () => {
      it('an index stores the last watermark of each workspace, written by refresh', async () => {
        const index = await indexOf()
        const other = 'other' as WorkspaceId
        expect(await engine.watermark(index, other)).toBeUndefined()
        await engine.refresh(index, workspace, { epoch: 'second', sequence: 7 })
        await engine.refresh(index, other, { epoch: 'second', sequence: 9 })
        expect(await engine.watermark(index, workspace)).toEqual({ epoch: 'second', sequence: 7 })
        expect(await engine.watermark(index, other)).toEqual({ epoch: 'second', sequence: 9 })
      })

      it('an index keeps the highest watermark of an epoch, and replaces it in another epoch', async () => {
        const index = await indexOf()
        await engine.refresh(index, workspace, { epoch: 'first', sequence: 9 })
        await engine.refresh(index, workspace, { epoch: 'first', sequence: 7 })
        expect(await engine.watermark(index, workspace)).toEqual({ epoch: 'first', sequence: 9 })
        expect(await engine.advance(index, workspace, { epoch: 'first', sequence: 8 })).toBe(true)
        expect(await engine.watermark(index, workspace)).toEqual({ epoch: 'first', sequence: 9 })
        await engine.refresh(index, workspace, { epoch: 'restored', sequence: 3 })
        expect(await engine.watermark(index, workspace)).toEqual({ epoch: 'restored', sequence: 3 })
      })

      it('advance() changes an existing watermark, and creates none', async () => {
        const index = await indexOf()
        expect(await engine.advance(index, workspace, { epoch: 'first', sequence: 2 })).toBe(true)
        expect(await engine.watermark(index, workspace)).toEqual({ epoch: 'first', sequence: 2 })
        await engine.drop(index)
        await engine.create(index)
        expect(await engine.advance(index, workspace, { epoch: 'first', sequence: 3 })).toBe(false)
        expect(await engine.watermark(index, workspace)).toBeUndefined()
      })

      it('searches show upserted documents after advance()', async () => {
        const index = await indexOf()
        await engine.upsert(index, [documentOf('d', 'queue')])
        expect(await engine.advance(index, workspace, { epoch: 'first', sequence: 2 })).toBe(true)
        expect(await found(index, 'queue')).toEqual(['d'])
      })

      it('count() counts the documents of one workspace', async () => {
        const elsewhere = documentOf('c', 'queue', { workspace: 'other' as WorkspaceId })
        const index = await indexOf(documentOf('a', 'queue', { audience: 'user:eva' }), documentOf('b', ''), elsewhere)
        expect(await engine.count(index, workspace)).toBe(2)
        expect(await engine.count(index, 'third' as WorkspaceId)).toBe(0)
      })

      it('an index that is created twice loses nothing', async () => {
        const index = await indexOf(documentOf('d', 'queue'))
        await engine.create(index)
        expect(await found(index, 'queue')).toEqual(['d'])
      })

      it('a lost index has no watermark, and searches and writes throw EngineUnavailable', async () => {
        const index = await indexOf(documentOf('d', 'queue'), documentOf('e', 'queue'))
        await engine.drop(index)
        expect(await engine.watermark(index, workspace)).toBeUndefined()
        const unavailable = (call: Promise<unknown>) => expect(call).rejects.toBeInstanceOf(EngineUnavailable)
        await unavailable(engine.candidates(index, everyone, equal(['queue']), 10))
        await unavailable(engine.upsert(index, [documentOf('d', 'queue')]))
        await unavailable(engine.refresh(index, workspace, { epoch: 'e', sequence: 1 }))
        await unavailable(engine.advance(index, workspace, { epoch: 'e', sequence: 1 }))
        await unavailable(engine.count(index, workspace))
        await engine.drop(index)
      })

      it('a lost index is empty when it is created again, and accepts any version', async () => {
        const index = await indexOf(documentOf('d', 'queue', { version: 9 }))
        const neighbour = await indexOf(documentOf('d', 'queue'))
        await engine.drop(index)
        await engine.create(index)
        expect(await engine.watermark(index, workspace)).toBeUndefined()
        expect(await engine.count(index, workspace)).toBe(0)
        await show(index, documentOf('d', 'store'))
        expect(await found(index, 'queue store')).toEqual(['d'])
        expect(await found(neighbour, 'queue')).toEqual(['d'])
      })
    })

    it('health() reports no fault while the engine works', async () => {
      expect(await engine.health()).toBeUndefined()
    })
  })
}

function ranked({ items, statistics }: Candidates): string[] {
  const weights = statistics.document_frequencies.map(() => 1)
  return score(items, statistics, { weights, pairs: [] }).map(({ candidate }) => candidate.id)
}

const audience = fc.constantFrom<Audience>('workspace', 'user:eva', 'user:max', 'team:red')
const kind = fc.constantFrom<RecordKind>('memory', 'decision')
const space = fc.constantFrom('acme' as WorkspaceId, 'other' as WorkspaceId)

const anyDocument = fc
  .record({ workspace: space, audience, kind, words: fc.array(fc.constantFrom(...'abcdefgh'), { maxLength: 12 }) })
  .map(({ words, ...fields }) => documentOf('', words.join(' '), fields))

const anyCaller: fc.Arbitrary<SearchFilter> = fc.oneof(
  fc.record({ workspace: space, audiences: fc.uniqueArray(audience, { minLength: 1 }) }),
  fc.record({ workspace: space, audiences: fc.uniqueArray(audience, { minLength: 1 }), kinds: fc.uniqueArray(kind) }),
)
