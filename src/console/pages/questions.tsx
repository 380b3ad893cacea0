import { Page } from '../parts/page.tsx'

export function QuestionsPage() {
  return <Page title="questions">{null}</Page>
}
