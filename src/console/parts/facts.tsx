import type { ComponentChildren } from 'preact'
import { useSurroundings } from './context.ts'
import { Copy } from './copy.tsx'

export type Fact = [label: string, value: ComponentChildren]

/** A list of facts. Those without a value are left out. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl>
      {facts
        .filter(([, value]) => value !== undefined && value !== null && value !== '')
        .map(([label, value]) => [<dt key={label}>{label}</dt>, <dd key={`${label} value`}>{value}</dd>])}
    </dl>
  )
}

interface CopiesProps {
  type: string
  id: string
  title: string
  path: string
  children?: ComponentChildren
}

/** A citation names the record for people, and has the address of this page. */
export function Copies({ type, id, title, path, children }: CopiesProps) {
  const { root } = useSurroundings()
  return (
    <div class="row">
      <Copy text={`“${title}” (${type} ${id}) ${location.origin}${root}${path}`}>Copy citation</Copy>
      <Copy text={id}>Copy id</Copy>
      {children}
    </div>
  )
}
