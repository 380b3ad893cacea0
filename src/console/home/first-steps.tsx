import { pathOfImport } from '../parts/addresses.ts'
import { useSurroundings } from '../parts/context.ts'
import { Link } from '../parts/link.tsx'

/** What to do while nothing is recorded. */
export function FirstSteps() {
  const { root } = useSurroundings()
  const url = `${location.origin}${root}`.replace(/\/$/, '')
  return (
    <>
      <h2>Nothing is recorded yet</h2>
      <p>
        There is no record that you may see. <Link to={pathOfImport}>Import what you have</Link>: a folder of decision
        records, or a JSONL or CSV file.
      </p>
      <p>Or tell the command line where this service is, and your key:</p>
      <pre>
        <code>{`export PRECEDENT_URL=${url}\nexport PRECEDENT_API_KEY=…`}</code>
      </pre>
      <h3>Import with the command</h3>
      <p>It also finds dates in the git history. The first command only shows what it would import.</p>
      <pre>
        <code>{'precedent import docs/decisions --dry-run\nprecedent import docs/decisions'}</code>
      </pre>
      <h3>Or write something down</h3>
      <pre>
        <code>
          {'precedent remember --kind constraint "Invoices are kept for ten years."\n' +
            'precedent decide "Use PostgreSQL" --judgment "All services store their data in PostgreSQL."'}
        </code>
      </pre>
      <p>
        Agents write by MCP (<code>precedent mcp</code>) or by <Link to="docs">the API</Link>. Then load this page
        again.
      </p>
    </>
  )
}
