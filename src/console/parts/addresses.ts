/** The addresses of the pages, relative to the root of the service. */
export const pathOfQuestion = (id: string) => `questions/${encodeURIComponent(id)}`
export const pathOfQuestions = 'questions'

export function pathOfSearch(q: string, asOf?: string): string {
  return `search?${new URLSearchParams({ q, ...(asOf ? { as_of: asOf } : {}) })}`
}

export const pathOfTasks = 'tasks'
export const pathOfTask = (id: string) => `tasks/${encodeURIComponent(id)}`

/** undefined: records of this type have no page. */
export function pathOfRecord({ type, id }: { type: string; id?: string | undefined }): string | undefined {
  if (id === undefined) return undefined
  if (type === 'decision') return `decisions/${encodeURIComponent(id)}`
  if (type === 'memory') return `memories/${encodeURIComponent(id)}`
  if (type === 'task') return pathOfTask(id)
  return type === 'question' ? pathOfQuestion(id) : undefined
}
