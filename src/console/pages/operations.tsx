/** Whether the service works and keeps up, and its indexes. Most of it is for admins. */

import { ReadinessNow } from '../operations/readiness.tsx'
import { Rebuilds } from '../operations/rebuilds.tsx'
import { OperatedRepositories } from '../operations/repositories.tsx'
import { WorkNow } from '../operations/work.tsx'
import { Page } from '../parts/page.tsx'

export function OperationsPage() {
  return (
    <Page title="Operations">
      <ReadinessNow />
      <WorkNow />
      <Rebuilds />
      <OperatedRepositories />
    </Page>
  )
}
