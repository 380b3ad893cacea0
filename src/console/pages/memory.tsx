/** One memory: how it stands, its text, what corrected it and what it corrects. */
import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso/router'
import { pathOfRecord } from '../parts/addresses.ts'
import { audienceTold } from '../parts/audience.ts'
import { useSurroundings } from '../parts/context.ts'
import { Copies, Facts } from '../parts/facts.tsx'
import { Opens, ToForm, wasJustMade } from '../parts/form.tsx'
import { Day, Sources } from '../parts/link.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { RecordLink } from '../parts/record-link.tsx'
import { CorrectForm, draftOfCorrection } from '../record/correct-form.tsx'
import { FoundPage } from '../record/found.tsx'
import { Answers, OpenQuestions } from '../record/questions.tsx'
import { IfReplaceable, MemoryStanding, Retracted } from '../record/standing.tsx'
import type { Memory } from '../service/service.ts'

export function MemoryPage() {
  const id = useRoute().params.id ?? ''
  return (
    <FoundPage key={id} type="memory" id={id} kind={({ kind }) => `Memory: ${kindTold(kind)}`}>
      {(memory) => <Shown memory={memory} />}
    </FoundPage>
  )
}

function Shown({ memory }: { memory: Memory }) {
  const { id, title, content, topics, sources, occurred_at, recorded_at, visibility } = memory
  const { superseded_claims, answers, in_force } = memory
  const path = pathOfRecord({ type: 'memory', id }) as string
  const { root } = useSurroundings()
  const [isNew] = useState(() => wasJustMade(root + path))
  return (
    <>
      {isNew && <p role="status">The correction is recorded. This page shows it.</p>}
      <MemoryStanding memory={memory} />
      <Retracted claims={superseded_claims} />
      <Copies type="memory" id={id} title={title} path={path}>
        {in_force && <ToForm id="correct">Correct it</ToForm>}
      </Copies>
      {isSame(title, content) ? null : <Markdown text={content} />}
      <section>
        <h2>About it</h2>
        <Facts
          facts={[
            ['Since', <Day key="since" at={occurred_at} />],
            ['Recorded', <Day key="recorded" at={recorded_at} />],
            ['Who sees it', audienceTold(visibility)],
            ['Topics', topics.join(', ')],
            ['Id', <code key="id">{id}</code>],
          ]}
        />
      </section>
      <section>
        <h2>Sources</h2>
        <Sources sources={sources} />
      </section>
      <Chain memory={memory} />
      <OpenQuestions type="memory" id={id} />
      <Answers answers={answers} kind="memory" />
      <section>
        <h2>Correct it</h2>
        <IfReplaceable record={memory}>
          <Opens id="correct" title="Correct this memory" draft={draftOfCorrection(id)}>
            <CorrectForm memory={memory} />
          </Opens>
        </IfReplaceable>
      </section>
    </>
  )
}

const kindTold = (kind: string) => kind.replaceAll('_', ' ')

/** A memory without a title of its own has its first sentence as its title. */
function isSame(title: string, content: string): boolean {
  const inLine = (text: string) => text.replace(/\s+/g, ' ').trim()
  return inLine(title) === inLine(content)
}

function Chain({ memory }: { memory: Memory }) {
  const { corrected_by, corrects, title } = memory
  if (corrected_by.length + corrects.length === 0) return null
  return (
    <section>
      <h2>Its corrections</h2>
      <p class="hint">The newest first.</p>
      <ol class="chain">
        {corrected_by.toReversed().map((one) => (
          <Link key={one.id} one={one} />
        ))}
        <li aria-current="true">
          <strong>{title}</strong> <span class="hint">(this memory)</span>
        </li>
        {corrects.map((one) => (
          <Link key={one.id} one={one} />
        ))}
      </ol>
    </section>
  )
}

function Link({ one: { id, kind, title, excerpt, occurred_at } }: { one: Memory['corrects'][number] }) {
  return (
    <li>
      <RecordLink type={kind === 'decision' ? 'decision' : 'memory'} id={id} title={title} />{' '}
      <span class="hint">
        ({kindTold(kind)}, <Day at={occurred_at} />)
      </span>
      {!isSame(title, excerpt) && <div class="text excerpt">{excerpt}</div>}
    </li>
  )
}
