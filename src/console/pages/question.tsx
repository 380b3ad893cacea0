/** One open question, at an address of its own. */

import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso/router'
import { pathOfQuestions, pathOfRecord } from '../parts/addresses.ts'
import { useReading } from '../parts/context.ts'
import { focused } from '../parts/focused.ts'
import { Link } from '../parts/link.tsx'
import { Page } from '../parts/page.tsx'
import { type Ended, useAnswering } from '../parts/questions/answering.ts'
import { QuestionCard } from '../parts/questions/card.tsx'
import { EndedQuestion } from '../parts/questions/ended.tsx'
import { cardOf } from '../parts/questions/focus.ts'
import { buttonFor, KeysDialog, useKeys } from '../parts/questions/keys.tsx'
import { Read } from '../parts/told.tsx'
import type { Question } from '../service/service.ts'

export function QuestionPage() {
  const { id = '' } = useRoute().params
  return (
    <Page title="Question" above={<Link to={pathOfQuestions}>All open questions</Link>}>
      <WithId key={id} id={id} />
    </Page>
  )
}

function WithId({ id }: { id: string }) {
  const reading = useReading((service, signal) => service.questions({ question_id: id }, signal), id)
  return (
    <Read reading={reading}>
      {({ items: [question] }) =>
        question === undefined ? <NotOpen id={id} /> : <OpenQuestion {...{ question }} again={reading.again} />
      }
    </Read>
  )
}

function OpenQuestion({ question, again }: { question: Question; again(): void }) {
  const [ended, setEnded] = useState<Ended | undefined>(undefined)
  const [showsKeys, showKeys] = useState(false)
  const answering = useAnswering({ onEnd: setEnded, onChange: again })
  useKeys(({ key }) => {
    if (key === '?') showKeys(true)
    const button = buttonFor(key)
    if (button) cardOf(question.question_id)?.querySelector<HTMLElement>(button)?.focus()
    return key === '?' || button !== undefined
  })
  if (ended) {
    return (
      <div class="card" role="status" tabIndex={-1} ref={focused}>
        <EndedQuestion ended={ended} />
        <p>
          <Link to={pathOfQuestions}>All open questions</Link>
        </p>
      </div>
    )
  }
  return (
    <>
      <QuestionCard {...{ question, answering }} isOpen />
      <button type="button" class="quiet keys" onClick={() => showKeys(true)}>
        Keys <kbd>?</kbd>
      </button>
      {showsKeys && <KeysDialog isList={false} onClose={() => showKeys(false)} />}
    </>
  )
}

function NotOpen({ id }: { id: string }) {
  const proposal = id.startsWith('judgment:') ? id.slice('judgment:'.length) : undefined
  return (
    <>
      <p>No question with this id is open.</p>
      <p>
        It may have been answered, its records may have changed, or you may not see it. If it was answered, its records
        list the answer.
      </p>
      {proposal !== undefined && (
        <p>
          It is about <Link to={pathOfRecord({ type: 'decision', id: proposal }) ?? ''}>this decision</Link>. If that is
          still proposed, it is asked about together with other old proposals, and its page takes an answer to it alone.
        </p>
      )}
    </>
  )
}
