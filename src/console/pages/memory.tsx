import { Page } from '../parts/page.tsx'

export function MemoryPage() {
  return <Page title="memory">{null}</Page>
}
