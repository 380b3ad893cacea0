/** The metric of notices. It exists only in processes that send them. */
import { Counter, type Registry } from 'prom-client'
import { type NoticeOutcome, noticeOutcomes } from '../runs/notices/send.ts'

export function noticeCounter(registry: Registry): (outcome: NoticeOutcome) => void {
  const sent = new Counter({
    name: 'precedent_notices_total',
    help: 'Attempts to send notices of runs, by outcome: delivered, failed (it is sent again), or dropped (it got too old).',
    labelNames: ['outcome'],
    registers: [registry],
  })
  for (const outcome of noticeOutcomes) sent.inc({ outcome }, 0)
  return (outcome) => sent.inc({ outcome })
}
