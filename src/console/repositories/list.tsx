import { pathOfRepository } from '../parts/addresses.ts'
import { Link } from '../parts/link.tsx'
import { Pages } from '../parts/pages.tsx'
import { RepositoryState } from '../parts/repository-state.tsx'

/** The repositories that the reader sees, by name. */
export function RepositoryList() {
  return (
    <Pages of={{}} read={(service, signal, cursor) => service.repositories(cursor, signal)}>
      {({ items }, isFirst) => (
        <>
          {items.length === 0 && (
            <p role="status">
              {isFirst
                ? 'No repository is connected that your key may see. An operator connects them in a file (docs/repositories.md).'
                : 'That was all.'}
            </p>
          )}
          <ul class="plain">
            {items.map((repository) => (
              <li key={repository.full_name} class="repository">
                <Link to={pathOfRepository(repository.full_name)}>{repository.full_name}</Link>
                <RepositoryState repository={repository} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Pages>
  )
}
