import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { searchContext } from '../../src/context/search.ts'
import { remember } from '../../src/memories/remember.ts'
import { actorAda, apply, type World, world } from '../support/apply.ts'
import { ask, readsOf } from '../support/ask.ts'

let on: World
beforeEach(async () => {
  on = await world()
})
afterEach(() => on.close())

const eve = { ...actorAda, user: 'eve', credential: 'key-of-eve' }
const fact = async (content: string, more: object = {}) =>
  (await apply(on, remember, { kind: 'fact', content, ...more })).entity?.id as string
const hits = async (q: string, actor = actorAda) => (await ask(await readsOf(on), searchContext, { q }, actor)).items
const ids = async (q: string) => (await hits(q)).map(({ id }) => id)

describe('the words of a query', () => {
  it('find a word that they write as two', async () => {
    const id = await fact('A rollback is a git revert in the folder of the deployments.')
    await fact('The bakery rolls its doughs at noon.')
    expect(await ids('how do I roll back a release?')).toContain(id)
    expect(await ids('back, roll')).not.toContain(id)
  })

  it('keep their own meaning beside a word that they write as two', async () => {
    const apart = await fact('Set up the printer in the hall.')
    const joined = await fact('The setup of the scanner takes an hour.')
    expect(await ids('set up the printer')).toEqual([apart, joined])
  })

  it('find a word that they misspell', async () => {
    const id = await fact('The warehouse closes at noon on Saturdays.')
    expect(await ids('warehuose')).toEqual([id])
  })

  it('find a word that they misspell in Greek or Cyrillic', async () => {
    const russian = await fact('Договор поставки хранится в архиве.')
    const greek = await fact('Το τιμολόγιο εκδίδεται κάθε Δευτέρα.')
    expect(await ids('догвор')).toEqual([russian])
    expect(await ids('τιμολόγοι')).toEqual([greek])
  })

  it('find a long word or an Arabic one that they misspell', async () => {
    const german = await fact('Die Datenschutzgrundverordnung gilt in allen Filialen.')
    const arabic = await fact('الخوارزمية الجديدة تحسب المسار.')
    expect(await ids('Datenschutzgrundverodnung')).toEqual([german])
    expect(await ids('خوارزيمة')).toEqual([arabic])
  })

  it('find a version with a v or without it', async () => {
    const withV = await fact('Node is the runtime of all services since v4.2.1.')
    const without = await fact('Release 4.3.7 of the billing service is out.')
    expect(await ids('4.2.1')).toEqual([withV])
    expect(await ids('v4.3.7')).toEqual([without])
  })

  it('find longer words that begin with a word that no record holds', async () => {
    const cluster = await fact('The cluster runs Kubernetes in two zones.')
    const orders = await fact('Eine Bestellung wird am selben Tag gepackt.')
    expect(await ids('kube')).toEqual([cluster])
    expect(await ids('Bestel')).toEqual([orders])
    const named = await fact('The team calls its test cluster kube.')
    expect(await ids('kube')).toEqual([named])
  })

  it('find the two shortest of many longer words', async () => {
    await fact('The migrationless store.')
    const near = [await fact('A table of migrations.'), await fact('The migrants of the north.')]
    await fact('Some migratory birds.')
    expect(new Set(await ids('migr'))).toEqual(new Set(near))
  })

  it('take no longer word that only a hidden record holds', async () => {
    await fact('The cluster has two zones.')
    const before = await hits('kube cluster', eve)
    await fact('Kubernetes, kubelet', { visibility: { scope: 'private' } })
    expect(await hits('kube cluster', eve)).toEqual(before)
    expect((await hits('kube', eve)).length).toBe(0)
    expect((await hits('kube')).length).toBe(1)
  })

  it('take no word that only a hidden record holds', async () => {
    await fact('The setup of the warehouse.')
    const before = await hits('set up the warehuose of a roll back', eve)
    await fact('A warehuoses rollback needs a setup.', { visibility: { scope: 'private' } })
    expect(await hits('set up the warehuose of a roll back', eve)).toEqual(before)
    expect((await hits('roll back', eve)).length).toBe(0)
    expect((await hits('roll back')).length).toBe(1)
  })
})
