import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

/** A page with its heading. The heading also becomes the title of the tab. */
export function Page({
  title,
  above,
  children,
}: {
  title: string
  above?: ComponentChildren
  children: ComponentChildren
}) {
  useEffect(() => {
    document.title = `${title} – Precedent`
  }, [title])
  return (
    <main id="content" tabIndex={-1}>
      {above}
      <h1>{title}</h1>
      {children}
    </main>
  )
}
