/** The list of open questions: which of them are opened and selected, and what became of those that were answered. */
import { useState } from 'preact/hooks'
import type { Question } from '../../service/service.ts'
import { Refused } from '../told.tsx'
import { type Answering, type Ended, useAnswering } from './answering.ts'
import { Bulk } from './bulk.tsx'
import { QuestionCard } from './card.tsx'
import { EndedQuestion, EndedQuestions } from './ended.tsx'
import { cardAfter, cardOf, useFocusSoon } from './focus.ts'
import { KeysDialog } from './keys.tsx'
import { useListKeys } from './list-keys.ts'
import { type OpenQuestions, useOpenQuestions } from './open-questions.ts'
import { type Priority, prioritiesTold } from './wording.ts'

/** Ids of questions. */
interface Chosen {
  has(id: string): boolean
  toggle(id: string): void
  set(ids: readonly string[]): void
}

export function QuestionList({ reasons }: { reasons: readonly string[] }) {
  const list = useOpenQuestions(reasons)
  const { items } = list
  const opened = useChosen()
  const selection = useChosen()
  const [ended, setEnded] = useState<readonly Ended[]>([])
  const [showsKeys, showKeys] = useState(false)
  const focusSoon = useFocusSoon()
  const answering = useAnswering({
    onChange: list.replace,
    onEnd(one) {
      leave([one.question.question_id], items)
      setEnded((before) => [one, ...before])
      void list.closedWith(one.question).then((closed) => {
        if (closed.length === 0) return
        leave(closed, items)
        setEnded((before) => before.map((other) => (other === one ? { ...one, alsoClosed: closed.length } : other)))
      })
    },
  })
  /** The focus moves on if one of them has it. */
  const leave = (ids: readonly string[], shown: readonly Question[]) => {
    const focused = ids.find((id) => cardOf(id)?.contains(document.activeElement))
    if (focused !== undefined) neighbourOf(focused, ids, shown)?.focus()
    for (const id of ids) list.remove(id)
  }
  const selected = items.filter(({ question_id }) => selection.has(question_id))
  const isAllSelected = selected.length === items.length
  const selectAll = () => selection.set(isAllSelected ? [] : items.map(({ question_id }) => question_id))
  useListKeys({ opened, selection, selectAll, focusSoon, showKeys: () => showKeys(true) })

  return (
    <>
      <div class="row">
        <p role="status">{countTold(list, ended.length)}</p>
        <span class="grow" />
        {items.length > 0 && (
          <button type="button" class="quiet" onClick={selectAll}>
            {isAllSelected ? 'Select none' : `Select all ${items.length} shown`}
          </button>
        )}
        <button type="button" class="quiet keys" onClick={() => showKeys(true)}>
          Keys <kbd>?</kbd>
        </button>
      </div>
      <Groups {...{ items, answering, opened, selection }} />
      <End list={list} onMore={(last) => focusSoon(() => cardAfter(last))} />
      <EndedQuestions all={ended} />
      <div class="dock">
        <p role="status" class="last-ended">
          {ended[0] && <EndedQuestion ended={ended[0]} />}
        </p>
        <Bulk {...{ selected, answering }} onClear={() => selection.set([])} />
      </div>
      {showsKeys && <KeysDialog isList onClose={() => showKeys(false)} />}
    </>
  )
}

function useChosen(): Chosen {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  return {
    has: (id) => ids.has(id),
    toggle: (id) =>
      setIds((before) =>
        before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id]),
      ),
    set: (some) => setIds(new Set(some)),
  }
}

interface GroupsProps {
  items: readonly Question[]
  answering: Answering
  opened: Chosen
  selection: Chosen
}

function Groups({ items, answering, opened, selection }: GroupsProps) {
  return groupsOf(items).map(([priority, questions]) => (
    <section key={priority} aria-labelledby={`priority-${priority}`}>
      <h2 id={`priority-${priority}`}>{prioritiesTold[priority].title}</h2>
      <p class="hint">{prioritiesTold[priority].hint}</p>
      {questions.map((question) => {
        const id = question.question_id
        return (
          <QuestionCard
            key={id}
            {...{ question, answering }}
            isOpen={opened.has(id)}
            onToggle={() => opened.toggle(id)}
            selecting={{ isSelected: selection.has(id), onSelect: () => selection.toggle(id) }}
          />
        )
      })}
    </section>
  ))
}

function End({ list, onMore }: { list: OpenQuestions; onMore(last: string): void }) {
  const { items, cursor, isLoading, refusal, more } = list
  const showMore = () => {
    more()
    onMore(items.at(-1)?.question_id ?? '')
  }
  return (
    <div id="questions-end" tabIndex={-1}>
      <Refused refusal={refusal} again={more} />
      {isLoading && (
        <p class="hint" role="status">
          Loading …
        </p>
      )}
      {cursor !== undefined && !isLoading && !refusal && (
        <button type="button" onClick={showMore}>
          Show more
        </button>
      )}
    </div>
  )
}

function groupsOf(items: readonly Question[]): [Priority, Question[]][] {
  const all = Object.keys(prioritiesTold) as Priority[]
  return all.flatMap((priority): [Priority, Question[]][] => {
    const found = items.filter((one) => one.priority === priority)
    return found.length === 0 ? [] : [[priority, found]]
  })
}

/** The element that gets the focus when these questions are gone. */
function neighbourOf(id: string, gone: readonly string[], shown: readonly Question[]): HTMLElement | null {
  const ids = shown.map(({ question_id }) => question_id)
  const at = ids.indexOf(id)
  const stays = (one: string) => !gone.includes(one) && cardOf(one) !== null
  const next = ids.slice(at + 1).find(stays) ?? ids.slice(0, Math.max(at, 0)).findLast(stays)
  return next === undefined ? document.getElementById('questions-end') : cardOf(next)
}

function countTold({ items, cursor, isLoading, refusal }: OpenQuestions, answered: number): string {
  if (items.length > 0) {
    const count = items.length === 1 ? '1 open question' : `${items.length} open questions`
    return cursor === undefined ? `${count}.` : `${count} shown. There are more.`
  }
  if (isLoading || refusal) return ''
  if (cursor !== undefined) return 'There are more.'
  return answered > 0 ? 'All are answered.' : 'No question is open.'
}
