/** Whether the service works and keeps up, and its indexes. Most of it is for admins. */

import { ReadinessNow } from '../operations/readiness.tsx'
import { Rebuilds } from '../operations/rebuilds.tsx'
import { OperatedRepositories } from '../operations/repositories.tsx'
import { WorkNow } from '../operations/work.tsx'
import { useReading } from '../parts/context.ts'
import { Page } from '../parts/page.tsx'
import { Refused } from '../parts/told.tsx'

export function OperationsPage() {
  const rebuilds = useReading((service, signal) => service.rebuilds(signal), '')
  const isForbidden = rebuilds.refusal?.status === 403

  return (
    <Page title="Operations">
      <ReadinessNow />
      {/* it would be said of each part */}
      {isForbidden && <Refused refusal={rebuilds.refusal} />}
      {rebuilds.value !== undefined && <WorkNow />}
      {!isForbidden && <Rebuilds reading={rebuilds} />}
      {rebuilds.value !== undefined && <OperatedRepositories />}
    </Page>
  )
}
