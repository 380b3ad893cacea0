/** All open questions, by priority. They are answered one by one, or several at once. */
import { useLocation } from 'preact-iso/router'
import { pathOfQuestions } from '../parts/addresses.ts'
import { useSurroundings } from '../parts/context.ts'
import { Page } from '../parts/page.tsx'
import { QuestionList } from '../parts/questions/list.tsx'
import { reasonsTold } from '../parts/questions/wording.ts'

export function QuestionsPage() {
  const { url } = useLocation()
  // several are repeated, or separated by commas, as in the API
  const reasons = new URLSearchParams(url.split('?')[1]).getAll('reason').flatMap((one) => one.split(','))
  return (
    <Page title="Questions">
      <ReasonFilter reasons={reasons} />
      <QuestionList key={reasons.join()} reasons={reasons} />
    </Page>
  )
}

function ReasonFilter({ reasons }: { reasons: readonly string[] }) {
  const { route } = useLocation()
  const { root } = useSurroundings()
  const shown = reasons.join()
  const choose = (reason: string) => route(`${root}${pathOfQuestions}${reason === '' ? '' : `?reason=${reason}`}`)
  const isOther = shown !== '' && !Object.hasOwn(reasonsTold, shown)
  return (
    <label class="reason-filter">
      Why it is asked
      <select value={shown} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">All reasons</option>
        {Object.entries(reasonsTold).map(([reason, told]) => (
          <option key={reason} value={reason}>
            {told}
          </option>
        ))}
        {isOther && <option value={shown}>{reasons.length > 1 ? 'Several reasons' : shown}</option>}
      </select>
    </label>
  )
}
