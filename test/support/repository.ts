import { existsSync } from 'node:fs'
import { join } from 'node:path'

const compiled = import.meta.dirname.includes(`${join('dist', 'test')}`)

export const repository = join(import.meta.dirname, compiled ? '../../..' : '../..')

/** Documents of other projects, which are not part of the repository. */
const data = process.env.PRECEDENT_TEST_DATA ?? join(repository, '../shared/data')

export interface Data {
  folder: string
  /** Why tests can't use it; undefined: they can. */
  missing: string | undefined
}

/** `adr`: nine folders of real decision records. `ir`: collections of documents with judged questions. */
export function dataOf(name: 'adr' | 'ir'): Data {
  const folder = join(data, name)
  return { folder, missing: existsSync(folder) ? undefined : `no ${name} in ${data}` }
}
