import { useState } from 'preact/hooks'
import { audienceTold } from '../parts/audience.ts'
import { useWriting } from '../parts/context.ts'
import { useDraft } from '../parts/draft.ts'
import { Accepted, Field, Form, useLeading } from '../parts/form.tsx'
import type { Memory, Receipt } from '../service/service.ts'

export const draftOfCorrection = (id: string) => `correct ${id}`

export function CorrectForm({ memory: { id, content: before, visibility } }: { memory: Memory }) {
  const [content, setContent] = useDraft(draftOfCorrection(id), before)
  const [accepted, setAccepted] = useState<Receipt>()
  const [isUnchanged, setIsUnchanged] = useState(false)
  const writing = useWriting<Receipt>()
  const lead = useLeading()
  const submit = async () => {
    setIsUnchanged(content === before)
    if (content === before) return
    const input = { corrects_memory_id: id, content }
    const receipt = await writing.send((service, key) => service.correct(input, key), JSON.stringify(input))
    if (receipt === undefined) return
    setContent(before)
    if (!lead(receipt)) setAccepted(receipt)
  }
  if (accepted) return <Accepted receipt={accepted} />
  return (
    <Form writing={writing} submit="Record the correction" onSubmit={submit}>
      <p class="hint">
        The correction takes the place of this memory, which stays readable but is no longer in force. It is seen by{' '}
        {audienceTold(visibility)}, as this memory is.
      </p>
      <Field label="Text" name="content" required rows={8} value={content} onValue={setContent} />
      {isUnchanged && <p role="alert">The text is the same as before. Change it first.</p>}
    </Form>
  )
}
