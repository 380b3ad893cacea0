/**
 * Internal operation: commits a supersession that was dated ahead when its instant has come, so that reads, sync and
 * as_of agree at every instant (SEMANTICS 1). Its idempotency key is the link's id, so it is accepted once.
 */
import { z } from 'zod'
import { waitingLinksOf } from '../../deciding/links.ts'
import { nothingChanged } from '../../deciding/outcome.ts'
import {
  covers,
  decidedAt,
  isSupersededBy,
  successorOf,
  superseded,
  supersededBy,
} from '../../deciding/supersession.ts'
import type { RecordId } from '../../ids.ts'
import { defineOperation } from '../../operation.ts'
import { movedLink } from '../../records/link.ts'

const input = z.strictObject({ link: z.string(), successor: z.string(), target: z.string() })

export const takeEffect = defineOperation<z.infer<typeof input>>({
  name: 'record.take_effect',
  scope: 'admin',
  summary: 'Commits a supersession whose instant has come.',
  raisesQuestions: true,
  input,
  texts: () => [],

  async decide({ input, receipt, state, at }) {
    const successorId = input.successor as RecordId
    const link = (await waitingLinksOf(state, successorId)).find(
      (one) => one.id === input.link && one.state === 'dated',
    )
    if (!link) return nothingChanged
    const successor = await state.record(successorId)
    const target = await state.record(link.target as RecordId)
    const closed = movedLink(link, { state: 'closed' })
    // if some who see the successor don't see the target, the successor must not change: that would reveal the target
    const isSeen = target && successor && covers(target.audience, successor.audience)
    const isVoid =
      !successor ||
      !target ||
      (await supersededBy(state, successor.record_id)).includes(target.record_id) ||
      (await isSupersededBy(state, successor.record_id, target.record_id))
    if (isVoid) {
      return { ...nothingChanged, documents: { links: [closed] } }
    }
    // a newer revision has postponed it: a later sweep commits it
    if (link.due > decidedAt({ at, receipt })) return nothingChanged
    return {
      ...nothingChanged,
      changed: [
        ...(await superseded(state, target, successorOf(successor, link.due, link.reason), at)),
        ...(isSeen
          ? [{ id: successor.id, set: { supersedes: [...successor.supersedes, target.record_id], updated_at: at } }]
          : []),
      ],
      documents: { links: [isSeen ? closed : movedLink(link, { state: 'taken' })] },
    }
  },
})
