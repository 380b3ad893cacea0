/** One repository: the state of its index, and its folders and files at the indexed commit. */
import { useLocation, useRoute } from 'preact-iso/router'
import { pathOfRepositories } from '../parts/addresses.ts'
import { useReading, useSurroundings } from '../parts/context.ts'
import { Link, Outside } from '../parts/link.tsx'
import { Page } from '../parts/page.tsx'
import { RepositoryState } from '../parts/repository-state.tsx'
import { Read } from '../parts/told.tsx'
import { addressOf, nothing } from '../repositories/asked.ts'
import { SearchForm } from '../repositories/search-form.tsx'
import { Tree } from '../repositories/tree.tsx'
import type { Repository, Service } from '../service/service.ts'

export function RepositoryPage() {
  const { owner = '', name = '' } = useRoute().params
  const fullName = `${owner}/${name}`
  return <Named key={fullName} fullName={fullName} />
}

function Named({ fullName }: { fullName: string }) {
  const { root } = useSurroundings()
  const { query, route } = useLocation()
  const path = query.path ?? ''
  const reading = useReading((service, signal) => find(service, fullName, signal), fullName)
  const title = reading.value === 'unknown' ? 'There is no such repository' : path === '' ? fullName : path
  return (
    <Page title={title} above={<Link to={pathOfRepositories}>All repositories</Link>}>
      <Read reading={reading}>
        {(repository) =>
          repository === 'unknown' ? (
            <p>
              No connected repository has the name <code>{fullName}</code>, or your key may not see it.
            </p>
          ) : (
            <>
              {path === '' && <Outside url={repository.url}>{repository.url}</Outside>}
              {path === '' && <RepositoryState repository={repository} />}
              <SearchForm
                asked={{ ...nothing, repo: repository.full_name, path }}
                onAsk={(next) => route(root + addressOf(next))}
              />
              {repository.indexed === null ? (
                <p role="status">Its files are shown once it is indexed.</p>
              ) : (
                <Tree key={path} repository={repository.full_name} path={path} />
              )}
            </>
          )
        }
      </Read>
    </Page>
  )
}

/** The list has a filter for a part of the name only. */
async function find(service: Service, fullName: string, signal: AbortSignal): Promise<Repository | 'unknown'> {
  const wanted = fullName.toLowerCase()
  let cursor: string | undefined
  do {
    const page = await service.repositories({ q: fullName, ...(cursor && { cursor }) }, signal)
    const found = page.items.find(({ full_name }) => full_name.toLowerCase() === wanted)
    if (found) return found
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return 'unknown'
}
