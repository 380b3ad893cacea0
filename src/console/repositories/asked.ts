/** What is searched for in the code of repositories. The address of the page tells it. */
import { pathOfRepositories, withQuery } from '../parts/addresses.ts'
import type { Definition } from '../service/service.ts'

export interface Asked {
  q: string
  /** `names`: definitions of this name. Empty: places in the code. */
  for: string
  /** Full name. Empty: all that the reader sees. */
  repo: string
  language: string
  /** Only of code. */
  path: string
  /** Only of definitions. */
  kind: string
}

export const nothing: Asked = { q: '', for: '', repo: '', language: '', path: '', kind: '' }
const names = Object.keys(nothing) as (keyof Asked)[]

export function askedIn(query: Readonly<Record<string, string>>): Asked {
  return applying({ ...nothing, ...Object.fromEntries(names.map((name) => [name, query[name]?.trim() ?? ''])) })
}

export const addressOf = (asked: Asked): string => withQuery(pathOfRepositories, applying(asked))

/** Without filters that this kind of search does not have. */
function applying(asked: Asked): Asked {
  return asked.for === 'names' ? { ...asked, path: '' } : { ...asked, for: '', kind: '' }
}

export const kindsTold: Record<Definition['kind'], string> = {
  function: 'Function',
  method: 'Method',
  class: 'Class',
  interface: 'Interface',
  type: 'Type',
  enum: 'Enum',
  constant: 'Constant',
  variable: 'Variable',
  field: 'Field',
  module: 'Module',
}
