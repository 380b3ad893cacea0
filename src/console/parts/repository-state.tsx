/** The state of the index of a repository. */

import type { Repository } from '../service/service.ts'
import { Instant } from './link.tsx'

const statesTold: Record<Repository['state'], string> = {
  pending: 'Not indexed yet',
  indexing: 'Being indexed',
  ready: 'Indexed',
  failed: 'The last attempt failed',
}

export function RepositoryState({ repository }: { repository: Repository }) {
  const { state, error, head, indexed, counts, languages, default_branch } = repository
  const isBehind = head !== null && head.commit !== indexed?.commit
  return (
    <>
      <div class="facts hint">
        <span class={`tag ${state === 'failed' ? 'alert' : state === 'ready' ? 'good' : ''}`}>{statesTold[state]}</span>
        {isBehind && state === 'ready' && <span class="tag old">behind its newest commit</span>}
        {default_branch !== undefined && <span>branch {default_branch}</span>}
        {indexed && <Commit name="indexed" {...indexed} />}
        {isBehind && <Commit name="newest" {...head} />}
        <span>
          {counts.files.toLocaleString()} files, {counts.symbols.toLocaleString()} definitions
          {counts.skipped > 0 && `, ${counts.skipped.toLocaleString()} files skipped`}
        </span>
        <span>{mostUsed(languages)}</span>
      </div>
      {error !== undefined && <p class="refusal">{error}</p>}
    </>
  )
}

function Commit({ name, commit, at }: { name: string; commit: string; at: string }) {
  return (
    <span>
      {name}: <code title={commit}>{commit.slice(0, 9)}</code> of <Instant at={at} />
    </span>
  )
}

const mostLanguages = 4

function mostUsed(languages: Repository['languages']): string {
  const sorted = Object.entries(languages).sort(([, a], [, b]) => b - a)
  const names = sorted.slice(0, mostLanguages).map(([name]) => name)
  return [...names, ...(sorted.length > mostLanguages ? [`${sorted.length - mostLanguages} more`] : [])].join(', ')
}
