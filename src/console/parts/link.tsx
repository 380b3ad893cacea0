import type { ComponentChildren } from 'preact'
import type { Source } from '../service/service.ts'
import { pathOfRecord } from './addresses.ts'
import { useSurroundings } from './context.ts'

interface LinkProps {
  /** Relative to the root of the service. */
  to: string
  children: ComponentChildren
  class?: string
  /** The link leads to the page that is shown, or to a page above it. */
  isHere?: boolean
}

/** A link to a page of the console. */
export function Link({ to, children, class: name, isHere = false }: LinkProps) {
  const { root } = useSurroundings()
  return (
    <a href={root + to} class={name} aria-current={isHere ? 'page' : undefined}>
      {children}
    </a>
  )
}

/**
 * A link to something outside, marked by its look: its text may promise a page of the console. Other schemes than http,
 * https and mailto, such as javascript, are shown as text.
 */
export function Outside({ url, children }: { url: string; children: ComponentChildren }) {
  if (!/^(https?:\/\/|mailto:)/i.test(url)) return <>{children}</>
  return (
    <a href={url} rel="noopener noreferrer" target="_blank" class="outside" title={url}>
      {children}
    </a>
  )
}

/** A source: a record leads to its page, anything else to its url if it has one. */
export function SourceLink({ source }: { source: Source }) {
  const { type, id, title, url, provenance } = source
  const path = pathOfRecord({ type, id })
  const text = title ?? id ?? ('path' in provenance ? provenance.path : type)
  const hint = path === undefined && type !== text ? <span class="hint"> ({type})</span> : null
  if (path !== undefined) return <Link to={path}>{text}</Link>
  return (
    <>
      {url === undefined ? text : <Outside url={url}>{text}</Outside>}
      {hint}
    </>
  )
}

export function Sources({ sources }: { sources: readonly Source[] }) {
  if (sources.length === 0) return <p class="hint">No source is recorded.</p>
  return (
    <ul class="plain">
      {sources.map((source, at) => (
        <li key={at}>
          <SourceLink source={source} />
          {source.occurred_at !== undefined && (
            <>
              {' '}
              <Day at={source.occurred_at} />
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

/** A day, with the instant as its title. `undated`: the instant is only that of an import. */
export function Day({ at, undated }: { at: string; undated?: boolean | undefined }) {
  if (undated) return <span class="hint">no date</span>
  return (
    <time dateTime={at} title={at}>
      {at.slice(0, 10)}
    </time>
  )
}

/** The second in the time of the reader, with the instant as its title. */
export function Instant({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })}
    </time>
  )
}
