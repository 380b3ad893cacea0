/** A folder of a repository with its entries, or a file with its definitions. */
import { pathOfRepository } from '../parts/addresses.ts'
import { type Fact, Facts } from '../parts/facts.tsx'
import { Link } from '../parts/link.tsx'
import { Pages } from '../parts/pages.tsx'
import type { Entry } from '../service/service.ts'
import { Definitions } from './found.tsx'

const entriesOfPage = 500
const definitionsOfPage = 50

export function Tree({ repository, path }: { repository: string; path: string }) {
  return (
    <>
      <Crumbs repository={repository} path={path} />
      <Pages
        of={{ repository, path }}
        read={(service, signal, cursor) =>
          service.tree(repository, { path, depth: 1, limit: entriesOfPage, ...cursor }, signal)
        }
      >
        {({ entries, path: shown }, isFirst) => {
          const [first] = entries
          // of a file, the answer is the file itself
          if (isFirst && first !== undefined && first.path === shown) {
            return <File repository={repository} file={first} />
          }
          if (entries.length === 0) return <p role="status">{isFirst ? 'This folder is empty.' : 'That was all.'}</p>
          return <Entries repository={repository} entries={entries} />
        }}
      </Pages>
    </>
  )
}

/** The folders above, each a link. */
function Crumbs({ repository, path }: { repository: string; path: string }) {
  const parts = path.split('/').filter((part) => part !== '')
  return (
    <nav aria-label="Folders" class="crumbs">
      <Link to={pathOfRepository(repository)} isHere={parts.length === 0}>
        {repository}
      </Link>
      {parts.map((part, at) => {
        const to = parts.slice(0, at + 1).join('/')
        return (
          <span key={to}>
            {' / '}
            <Link to={pathOfRepository(repository, to)} isHere={at === parts.length - 1}>
              {part}
            </Link>
          </span>
        )
      })}
    </nav>
  )
}

function Entries({ repository, entries }: { repository: string; entries: readonly Entry[] }) {
  return (
    <ul class="plain entries">
      {entries.map((entry) => {
        const { path, type, size, language, symbols, skipped } = entry
        const name = path.slice(path.lastIndexOf('/') + 1)
        return (
          <li key={path}>
            <Link to={pathOfRepository(repository, path)}>{type === 'directory' ? `${name}/` : name}</Link>
            <span class="facts hint">
              {type !== 'directory' && type !== 'file' && <span>{typesTold[type]}</span>}
              {language !== undefined && <span>{language}</span>}
              {size !== undefined && <span>{bytes(size)}</span>}
              {symbols !== undefined && symbols > 0 && <span>{definitions(symbols)}</span>}
              {skipped !== undefined && <span>not searched: {skippedTold(skipped)}</span>}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function File({ repository, file }: { repository: string; file: Entry }) {
  const { path, type, size, language, symbols = 0, skipped } = file
  const facts: Fact[] = [
    ['Type', typesTold[type]],
    ['Language', language],
    ['Size', size === undefined ? undefined : bytes(size)],
    ['Not searched', skipped === undefined ? undefined : skippedTold(skipped)],
  ]
  return (
    <>
      <Facts facts={facts} />
      {type === 'file' && skipped === undefined && <h2>What it defines</h2>}
      {type === 'file' && skipped === undefined && symbols === 0 && <p class="hint">No definition was found in it.</p>}
      {symbols > 0 && (
        <Pages
          of={{ repository, path }}
          read={(service, signal, cursor) =>
            service.findSymbols({ repo: [repository], path, limit: definitionsOfPage, ...cursor }, signal)
          }
        >
          {({ items }) => <Definitions definitions={items} />}
        </Pages>
      )}
    </>
  )
}

const typesTold: Record<Entry['type'], string> = {
  file: 'file',
  directory: 'folder',
  symlink: 'symbolic link',
  submodule: 'submodule',
}

/** Why its text is not searched. */
const skippedTold = (reason: string) => (reason === 'failed' ? 'it could not be parsed' : reason.replaceAll('_', ' '))
const definitions = (count: number) => (count === 1 ? '1 definition' : `${count} definitions`)

function bytes(size: number): string {
  if (size < 1_000) return `${size} bytes`
  return size < 1_000_000 ? `${(size / 1_000).toFixed(1)} KB` : `${(size / 1_000_000).toFixed(1)} MB`
}
