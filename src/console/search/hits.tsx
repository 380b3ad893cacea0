import { Link } from '../parts/link.tsx'
import { Pages } from '../parts/pages.tsx'
import { QuestionLinks } from '../parts/question-links.tsx'
import type { Hits } from '../service/service.ts'
import { type Asked, addressOf } from './asked.ts'
import { Conflict } from './conflict.tsx'
import { type Found, type FoundPage, readFound } from './found.ts'
import { Hit } from './hit.tsx'

export function HitsFrom({ asked }: { asked: Asked }) {
  return (
    <Pages of={asked} read={(service, signal, { cursor }) => readFound(asked, cursor, service, signal)}>
      {(page, isFirst) => <Shown page={page} asked={asked} isFirst={isFirst} />}
    </Pages>
  )
}

function Shown({ page, asked, isFirst }: { page: FoundPage; asked: Asked; isFirst: boolean }) {
  const { items, conflicts, open_questions, next_cursor } = page
  const isShown = ({ id }: { id?: string | undefined }) => items.some((item) => item.id === id)
  const others = conflicts.filter(({ source, superseded_by }) => !isShown(source) && !isShown(superseded_by))
  return (
    <div class="hits">
      {items.length === 0 && <Nothing isFirst={isFirst} hasMore={next_cursor !== undefined} asked={asked} />}
      <ul class="plain">
        {items.map((item) => (
          <Hit key={item.id} found={item} conflicts={conflictsOf(item, conflicts)} asked={asked} />
        ))}
      </ul>
      {others.length > 0 && (
        <>
          <h2>No longer holds</h2>
          {others.map((conflict, at) => (
            <Conflict key={at} conflict={conflict} />
          ))}
        </>
      )}
      <OpenQuestions questions={open_questions} />
    </div>
  )
}

function conflictsOf({ id }: Found, conflicts: Hits['conflicts']): Hits['conflicts'] {
  return conflicts.filter(({ source, superseded_by }) => source.id === id || superseded_by.id === id)
}

function Nothing({ isFirst, hasMore, asked }: { isFirst: boolean; hasMore: boolean; asked: Asked }) {
  if (hasMore) return <p role="status">None among these; there may be more.</p>
  if (!isFirst) return <p role="status">That was all.</p>
  if (addressOf(asked) === 'search') {
    return (
      <p role="status">
        Nothing is recorded yet. The <Link to="">home page</Link> says how to begin.
      </p>
    )
  }
  if (asked.kind === 'decisions' && asked.q !== '') {
    return <p role="status">No decision answers this. A search for everything shows the nearest records too.</p>
  }
  return <p role="status">Nothing was found.</p>
}

function OpenQuestions({ questions }: { questions: Hits['open_questions'] }) {
  if (questions.length === 0) return null
  return (
    <>
      <h2>Open questions about these records</h2>
      <QuestionLinks questions={questions} />
    </>
  )
}
