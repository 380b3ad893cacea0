/** Threads that compare. Their files are built, because Node 20 runs no TypeScript in a thread. `npm test` builds first. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { repository } from '../../support/repository.ts'

const built = (file: string) => pathToFileURL(join(repository, 'dist/src', file))

export const compareThread = built('questions/compare/compare-worker-thread.js')

/** A thread with the rules of the service and one more, `rule`, for records whose text has `word`. */
export function threadThat(rule: string, word: string): URL {
  const code = `
    import { answerInThread } from '${built('ports/idle-thread.js')}'
    import { foundByRules } from '${built('questions/compare/by-rules.js')}'
    answerInThread((comparison) => {
      if (comparison.row.text.includes('${word}')) { ${rule} }
      return foundByRules(comparison)
    })`
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`)
}
