/** The calls of v1, a row each (specification 4, SEMANTICS 7). */
import { brief } from '../../context/brief/brief.ts'
import { searchContext } from '../../context/search.ts'
import { syncContext } from '../../context/sync.ts'
import { getDecision } from '../../decisions/get.ts'
import { importDecisions } from '../../decisions/import.ts'
import { recordDecision } from '../../decisions/record.ts'
import { searchDecisions } from '../../decisions/search.ts'
import { getMemory } from '../../memories/get.ts'
import { remember } from '../../memories/remember.ts'
import type { Operation } from '../../operation.ts'
import { resolve } from '../../questions/answer/resolve.ts'
import { listQuestions } from '../../questions/list.ts'
import { getReceipt } from '../../receipts/get.ts'
import { listReceipts } from '../../receipts/list.ts'
import type { ReceiptResponse } from '../../receipts/present.ts'
import { batchResponse } from '../base/batch-response.ts'
import { searchBody } from '../base/body-bounds.ts'
import { type BatchRoute, type Route, read, write } from '../base/route.ts'
import { examples } from './v1-examples.ts'

const batch: BatchRoute = {
  kind: 'batch',
  method: 'POST',
  path: '/v1/decisions/batch',
  operation: importDecisions as unknown as Operation,
  output: batchResponse,
  example: examples.importDecisions,
}

const receiptIsOpen = (output: unknown) => ['accepted', 'processing'].includes((output as ReceiptResponse).state)

export const v1Routes: readonly Route[] = [
  read('GET', '/v1/context/brief', brief, { example: examples.brief }),
  read('POST', '/v1/context/search', searchContext, { body: searchBody, example: examples.search }),
  read('POST', '/v1/context/sync', syncContext, { example: examples.sync }),
  write('POST', '/v1/context/memories', remember, { example: examples.remember }),
  read('GET', '/v1/context/memories/:id', getMemory, { conditional: true, example: examples.getMemory }),
  // beside the calls of the specification: all open questions, for people who answer them
  read('GET', '/v1/context/questions', listQuestions, { example: examples.listQuestions }),
  write('POST', '/v1/context/resolve', resolve, { example: examples.resolve }),
  read('POST', '/v1/decisions/search', searchDecisions, { example: examples.searchDecisions }),
  write('POST', '/v1/decisions', recordDecision, { example: examples.recordDecision }),
  batch,
  read('GET', '/v1/decisions/:id', getDecision, { conditional: true, example: examples.getDecision }),
  read('GET', '/v1/receipts', listReceipts, { example: examples.listReceipts }),
  read('GET', '/v1/receipts/:id', getReceipt, {
    polled: { stillOpen: receiptIsOpen },
    example: examples.getReceipt,
  }),
]
