import { Page } from '../parts/page.tsx'

export function DecisionPage() {
  return <Page title="decision">{null}</Page>
}
