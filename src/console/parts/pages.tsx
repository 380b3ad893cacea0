/** A list in pages: the first one, and below it the next ones once the reader wants them. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Service } from '../service/service.ts'
import { useReading } from './context.ts'
import { usePolling } from './poll.ts'
import { Read } from './told.tsx'

interface OnePage {
  next_cursor?: string | undefined
  /** A last page may have a cursor too. */
  has_more?: boolean
}

interface PagesProps<Page extends OnePage> {
  /** What is listed, such as its filters. */
  of: object
  read(service: Service, signal: AbortSignal, cursor: { cursor?: string }): Promise<Page>
  children(page: Page, isFirst: boolean): ComponentChildren
  /** True while the work that the page shows goes on. The page is then read again every few seconds. */
  goesOn?: ((page: Page) => boolean) | undefined
  /** Of the page before; undefined: this is the first one. */
  after?: string | undefined
}

export function Pages<Page extends OnePage>({ of, read, children, goesOn, after }: PagesProps<Page>) {
  const reading = useReading(
    (service, signal) => read(service, signal, after === undefined ? {} : { cursor: after }),
    JSON.stringify([of, after]),
  )
  usePolling(reading, reading.value !== undefined && goesOn?.(reading.value) === true)
  return <Read reading={reading}>{(page) => <Shown {...{ page, of, read, goesOn, after }}>{children}</Shown>}</Read>
}

function Shown<Page extends OnePage>({ page, of, read, goesOn, after, children }: PagesProps<Page> & { page: Page }) {
  const [wantsMore, setWantsMore] = useState(false)
  const top = useRef<HTMLDivElement>(null)
  const isFirst = after === undefined
  // the button that had the focus is gone
  useEffect(() => {
    if (!isFirst) top.current?.focus({ preventScroll: true })
  }, [isFirst])
  const next = page.has_more === false ? undefined : page.next_cursor
  return (
    <div ref={top} tabIndex={-1} class="page">
      {children(page, isFirst)}
      {next !== undefined && !wantsMore && (
        <button type="button" class="other" onClick={() => setWantsMore(true)}>
          Show more
        </button>
      )}
      {next !== undefined && wantsMore && (
        <Pages {...{ of, read, goesOn }} after={next}>
          {children}
        </Pages>
      )}
    </div>
  )
}
