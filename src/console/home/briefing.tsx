import { pathOfRecord } from '../parts/addresses.ts'
import { textOfBrief, withoutCitations } from '../parts/brief-text.ts'
import { useReading, useSurroundings } from '../parts/context.ts'
import { Copy } from '../parts/copy.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { Read } from '../parts/told.tsx'
import type { Brief } from '../service/service.ts'
import type { Asked } from './asked.ts'
import { FirstSteps } from './first-steps.tsx'
import { HowFarToTrust } from './trust.tsx'

export function Briefing({ q, isHandoff }: Asked) {
  const input = { ...(q === '' ? {} : { query: q }), ...(isHandoff ? { lens: 'handoff' as const } : {}) }
  const reading = useReading((service, signal) => service.brief(input, signal), JSON.stringify(input))
  return (
    <section aria-label="Brief" class="brief">
      <Read reading={reading}>
        {(brief) => (brief.diagnostics?.empty_corpus ? <FirstSteps /> : <Told brief={brief} />)}
      </Read>
    </section>
  )
}

function Told({ brief }: { brief: Brief }) {
  const { root } = useSurroundings()
  const { markdown, citations, trust } = brief
  return (
    <>
      <Warnings brief={brief} />
      <Markdown text={textOfBrief(markdown)} citations={citations} top={1} />
      {citations.length > 0 && <p class="hint">A number leads to the record that says it.</p>}
      {trust && <HowFarToTrust trust={trust} />}
      <Copy text={withLinks(brief, root)}>Copy as Markdown</Copy>
    </>
  )
}

function Warnings({ brief: { diagnostics } }: { brief: Brief }) {
  if (diagnostics === undefined) return null
  const { degraded, failure_reasons, primary_relevance } = diagnostics
  return (
    <>
      {degraded && (
        <div class="refusal" role="status">
          <p>A part of the service is unavailable, so this brief may lack something.</p>
          <ul>
            {failure_reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </div>
      )}
      {primary_relevance === 'weak' && (
        <p class="refusal" role="status">
          No record answers this. These are the closest ones.
        </p>
      )}
    </>
  )
}

/** Outside of the console the numbers lead to its pages too: each is a reference of Markdown. */
function withLinks({ markdown, citations }: Brief, root: string): string {
  const links = citations.flatMap((source, at) => {
    const path = pathOfRecord(source)
    return path === undefined ? [] : [`[${at + 1}]: ${location.origin}${root}${path}`]
  })
  return `${withoutCitations(markdown).trimEnd()}\n\n${links.join('\n')}\n`
}
