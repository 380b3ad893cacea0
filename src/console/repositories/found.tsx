/** What a search in the code of repositories has found. */
import type { ComponentChildren } from 'preact'
import { pathOfRepository } from '../parts/addresses.ts'
import { Link, Outside } from '../parts/link.tsx'
import { Pages } from '../parts/pages.tsx'
import type { CodeHit, CodeHits, Definition } from '../service/service.ts'
import { type Asked, addressOf, kindsTold } from './asked.ts'

export function Found({ asked }: { asked: Asked }) {
  return asked.for === 'names' ? <Names asked={asked} /> : <Places asked={asked} />
}

function Places({ asked: { q, repo, language, path } }: { asked: Asked }) {
  const input = { q, ...given({ repo, language, path }) }
  return (
    <Pages of={input} read={(service, signal, cursor) => service.searchCode({ ...input, ...cursor }, signal)}>
      {({ items, coverage }, isFirst) => (
        <>
          {isFirst && <Coverage {...coverage} />}
          {items.length === 0 && <Nothing isFirst={isFirst}>No place in the code fits this.</Nothing>}
          <ul class="plain">
            {items.map((hit) => (
              <Place key={`${hit.repo} ${hit.path}`} hit={hit} />
            ))}
          </ul>
        </>
      )}
    </Pages>
  )
}

function Place({ hit: { repo, path, lines, symbol, kind, snippet, url } }: { hit: CodeHit }) {
  return (
    <li class="code-place">
      <h2>
        <Link to={pathOfRepository(repo, path)}>{path}</Link>
      </h2>
      <div class="facts hint">
        <Link to={pathOfRepository(repo)}>{repo}</Link>
        <span>{linesTold(lines)}</span>
        {symbol !== undefined && kind !== undefined && (
          <span>
            in the {kind} <code>{symbol}</code>
          </span>
        )}
        {url.startsWith('http') && <Outside url={url}>at its host</Outside>}
      </div>
      {/* it scrolls, so the keyboard must reach it */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <pre tabIndex={0}>
        <code>{snippet}</code>
      </pre>
    </li>
  )
}

function Names({ asked }: { asked: Asked }) {
  const { q, repo, language, kind } = asked
  const input = { name: q, ...given({ repo, language, kind }) }
  return (
    <Pages of={input} read={(service, signal, cursor) => service.findSymbols({ ...input, ...cursor }, signal)}>
      {({ items, coverage }, isFirst) => (
        <>
          {isFirst && <Coverage {...coverage} />}
          {items.length === 0 && (
            <Nothing isFirst={isFirst}>
              Nothing of this name is defined.{' '}
              <Link to={addressOf({ ...asked, for: '', kind: '' })}>Search the code for it</Link>
            </Nothing>
          )}
          <Definitions definitions={items} hasPlace />
        </>
      )}
    </Pages>
  )
}

interface DefinitionsProps {
  definitions: readonly Definition[]
  /** Say also in which file each is. */
  hasPlace?: boolean
}

export function Definitions({ definitions, hasPlace = false }: DefinitionsProps) {
  return (
    <ul class="plain definitions">
      {definitions.map(({ name, kind, container, repo, path, lines, signature, doc }) => (
        <li key={`${repo} ${path} ${lines.start} ${container} ${name}`}>
          <code>{signature}</code>
          <div class="facts hint">
            <span class="tag">{kindsTold[kind].toLowerCase()}</span>
            <strong>{name}</strong>
            {container !== undefined && <span>in {container.replaceAll('/', '.')}</span>}
            {hasPlace && <Link to={pathOfRepository(repo, path)}>{path}</Link>}
            {hasPlace && <Link to={pathOfRepository(repo)}>{repo}</Link>}
            <span>{linesTold(lines)}</span>
          </div>
          {doc !== undefined && <p class="hint text">{doc}</p>}
        </li>
      ))}
    </ul>
  )
}

function Coverage({ repos, behind }: CodeHits['coverage']) {
  if (repos === 0) return null
  const asked = repos === 1 ? '1 repository was searched' : `${repos} repositories were searched`
  const missing =
    behind === 1 ? '1 is not indexed up to its newest commit' : `${behind} are not indexed up to their newest commits`
  return <p class="hint">{behind === 0 ? `${asked}.` : `${asked}; ${missing}, so something may be missing.`}</p>
}

function Nothing({ isFirst, children }: { isFirst: boolean; children: ComponentChildren }) {
  return <p role="status">{isFirst ? children : 'That was all.'}</p>
}

function linesTold({ start, end }: Definition['lines']): string {
  return start === end ? `line ${start}` : `lines ${start}–${end}`
}

function given(filters: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))
}
