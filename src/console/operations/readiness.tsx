import { useReading } from '../parts/context.ts'
import { Facts } from '../parts/facts.tsx'
import { Read } from '../parts/told.tsx'
import type { Readiness } from '../service/service.ts'

const enginesTold: Record<keyof Readiness['engines'], string> = {
  documents: 'Store',
  queue: 'Queue',
  search: 'Search',
  embedder: 'Embeddings',
}

/** Whether the service works. Every key may read it. */
export function ReadinessNow() {
  const reading = useReading((service, signal) => service.readiness(signal), '')
  return (
    <section>
      <h2>Readiness</h2>
      <Read reading={reading}>
        {({ ready, engines, problems }) => (
          <>
            <p class={`standing ${ready && problems.length === 0 ? 'good' : 'old'}`} role="status">
              <strong>{ready ? 'Reads and writes work.' : 'The service can’t work now.'}</strong>
              {problems.length === 0 && ready && ' No problem is known.'}
            </p>
            {problems.length > 0 && (
              <ul>
                {problems.map((problem) => (
                  <li key={problem}>{problem}</li>
                ))}
              </ul>
            )}
            <Facts
              facts={Object.entries(engines).map(([engine, problem]) => [
                enginesTold[engine as keyof Readiness['engines']] ?? engine,
                problem ?? 'works',
              ])}
            />
            <button type="button" class="other" onClick={reading.again}>
              Check again
            </button>
          </>
        )}
      </Read>
    </section>
  )
}
