/** What was decided, in which situation, why, and what else was considered. */
import { Markdown } from '../parts/markdown.tsx'
import type { Decision } from '../service/service.ts'

export function DecisionTexts({ decision }: { decision: Decision }) {
  const { judgment, context, context_parts, consequences, rationale, dismissed } = decision
  return (
    <>
      <Text title="Judgment" text={judgment} />
      {context_parts === undefined ? <Text title="Context" text={context} /> : <ContextParts parts={context_parts} />}
      {/* the rationale of a rejected proposal speaks for it; its standing says why not */}
      <Text title={dismissed ? 'Proposed because' : 'Rationale'} text={rationale} />
      <Text title="Consequences" text={consequences} />
    </>
  )
}

function Text({ title, text }: { title: string; text: string | undefined }) {
  if (text === undefined || text === '') return null
  return (
    <section>
      <h2>{title}</h2>
      <Markdown text={text} top={3} />
    </section>
  )
}

function ContextParts({ parts }: { parts: NonNullable<Decision['context_parts']> }) {
  const { summary, constraints = [], alternatives = [], assumptions = [] } = parts
  return (
    <>
      <Text title="Context" text={summary} />
      <Texts title="Constraints" texts={constraints} />
      <Texts title="Assumptions" texts={assumptions} />
      {alternatives.length > 0 && (
        <section>
          <h2>Other options</h2>
          <p class="hint">They were considered, and not chosen.</p>
          {alternatives.map(({ title, why_not }, at) => (
            <div class="card" key={at}>
              <h3>{title}</h3>
              {why_not === undefined ? <p class="hint">No reason is recorded.</p> : <Markdown text={why_not} top={4} />}
            </div>
          ))}
        </section>
      )}
    </>
  )
}

function Texts({ title, texts }: { title: string; texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {texts.map((text, at) => (
          <li key={at}>
            <Markdown text={text} top={3} />
          </li>
        ))}
      </ul>
    </section>
  )
}
