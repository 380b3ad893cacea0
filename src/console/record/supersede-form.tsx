import { useState } from 'preact/hooks'
import { audienceTold } from '../parts/audience.ts'
import { useWriting } from '../parts/context.ts'
import { useDraft } from '../parts/draft.ts'
import { Accepted, Field, Form, useLeading } from '../parts/form.tsx'
import type { Decision, Receipt, Supersession } from '../service/service.ts'

const empty = { title: '', judgment: '', context: '', rationale: '', reason: '' }

export const draftOfSuccessor = (id: string) => `supersede ${id}`

export function SupersedeForm({ decision: { id, title, visibility } }: { decision: Decision }) {
  const [texts, setTexts] = useDraft(draftOfSuccessor(id), empty)
  const [accepted, setAccepted] = useState<Receipt>()
  const writing = useWriting<Receipt>()
  const lead = useLeading()
  const field = (name: keyof typeof empty) => ({
    name,
    value: texts[name],
    onValue: (value: string) => setTexts({ ...texts, [name]: value }),
  })
  const submit = async () => {
    const input = inputOf(texts, id, visibility)
    const receipt = await writing.send((service, key) => service.supersede(input, key), JSON.stringify(input))
    if (receipt === undefined) return
    setTexts(empty)
    if (!lead(receipt)) setAccepted(receipt)
  }
  if (accepted) return <Accepted receipt={accepted} />
  return (
    <Form writing={writing} submit="Record the new decision" onSubmit={submit}>
      <p class="hint">
        The new decision takes the place of “{title}”, which stays readable but is no longer in force. The new one is
        seen by {audienceTold(visibility)}, as this one is.
      </p>
      <Field label="Title" required {...field('title')} />
      <Field label="Judgment" hint="What is decided now." required rows={5} {...field('judgment')} />
      <Field label="Context" hint="The situation in which it is decided." rows={3} {...field('context')} />
      <Field label="Rationale" hint="Why it is decided so." rows={3} {...field('rationale')} />
      <Field label="Why it replaces the old one" rows={2} {...field('reason')} />
    </Form>
  )
}

function inputOf(texts: typeof empty, id: string, visibility: Decision['visibility']): Supersession {
  const { title, judgment, context, rationale, reason } = texts
  return {
    supersedes: [id],
    title,
    judgment,
    ...(context.trim() === '' ? {} : { context }),
    ...(rationale.trim() === '' ? {} : { rationale }),
    ...(reason.trim() === '' ? {} : { supersession_reason: reason }),
    visibility,
  }
}
