import { Page } from '../parts/page.tsx'

export function SearchPage() {
  return <Page title="search">{null}</Page>
}
