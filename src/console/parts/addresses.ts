/** The addresses of the pages, relative to the root of the service. */
export const pathOfQuestion = (id: string) => `questions/${encodeURIComponent(id)}`
export const pathOfQuestions = 'questions'

export function pathOfSearch(q: string, asOf?: string): string {
  return `search?${new URLSearchParams({ q, ...(asOf ? { as_of: asOf } : {}) })}`
}

export const pathOfTasks = 'tasks'
export const pathOfTask = (id: string) => `tasks/${encodeURIComponent(id)}`

export const pathOfChanges = 'changes'
export const pathOfOperations = 'operations'
export const pathOfKeys = 'keys'

export const pathOfRepositories = 'repositories'

/** `path`: a folder or a file in it. Empty: its root. */
export function pathOfRepository(fullName: string, path = ''): string {
  const name = fullName.split('/').map(encodeURIComponent).join('/')
  return withQuery(`${pathOfRepositories}/${name}`, { path })
}

/** An address with those fields that are not empty. */
export function withQuery(path: string, fields: object): string {
  const given = Object.entries(fields).filter(([, value]) => value !== '')
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

export const pathOfImport = 'import'
export const pathOfReceipts = 'receipts'
export const pathOfBatch = (id: string) => withQuery(pathOfReceipts, { batch: id })
export const pathOfReceipt = (id: string) => `receipts/${encodeURIComponent(id)}`

/** The explanation of an error code. */
export const pathOfProblem = (code: string) => `docs/problems#${encodeURIComponent(code)}`

/** The task of a run, by the url of the run in the API. undefined: it is the url of something else. */
export function taskOfRun(url: string): string | undefined {
  return /\/api\/v2\/tasks\/([^/]+)\/run$/.exec(url)?.[1]
}

/** undefined: records of this type have no page. */
export function pathOfRecord({ type, id }: { type: string; id?: string | undefined }): string | undefined {
  if (id === undefined) return undefined
  if (type === 'decision') return `decisions/${encodeURIComponent(id)}`
  if (type === 'memory') return `memories/${encodeURIComponent(id)}`
  if (type === 'task') return pathOfTask(id)
  return type === 'question' ? pathOfQuestion(id) : undefined
}
