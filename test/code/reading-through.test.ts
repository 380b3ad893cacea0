/** Looking for a text in the files themselves: what it may read is spent where the path of the query says. */
import { expect, it } from 'vitest'
import { placesOf } from '../../src/code/reading/search/places.ts'
import { parseCodeQuery } from '../../src/code/reading/search/query.ts'
import { everyFile, wholeBudget } from '../../src/code/reading/search/texts.ts'
import { opened } from './opened.ts'

it('reads only below the path of the query, so that files before it use up nothing', async () => {
  const { repository, index, row, ports } = await opened()
  const many = Array.from({ length: 150 }, (_, at) => [`a/f${at}.ts`, `export const needle = ${at}\n`])
  repository.commit({ ...Object.fromEntries(many), 'z/y/last.ts': 'export const needle = 1\n' })
  await index()
  const served = await row()
  if (served?.commit == null) throw new Error('not indexed')
  const scope = { served: new Map([[served.id, { ...served, commit: served.commit }]]) }
  const found = async (q: string) => {
    const { beginnings, fits } = await placesOf(parseCodeQuery(q), scope, ports.documents)
    const looked = { served: scope.served.values(), beginnings, fits, isHeld: (text: string) => text.includes('eedl') }
    const paths: string[] = []
    const budget = { ...wholeBudget(), rows: 3, files: 3 }
    for await (const { file } of everyFile(looked, ports.documents, budget)) paths.push(file.path)
    return paths
  }
  for (const q of ['path:z', 'path:z/y/last.ts', 'path:z/**/*.ts', 'path:z path:z/y']) {
    expect(await found(q)).toEqual(['z/y/last.ts'])
  }
  expect(await found('path:q')).toEqual([])
})
