import { Page } from '../parts/page.tsx'

export function QuestionPage() {
  return <Page title="question">{null}</Page>
}
