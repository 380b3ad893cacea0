import assert from 'node:assert'
import { test } from 'node:test'
import { nextDelay } from '../src/payments/retry.ts'

test('doubles the pause with every decline', () => {
  assert.equal(nextDelay({ number: 3, declineCode: 'insufficient_funds' }, 5, 60), 240)
})
test('never charges a stolen card again', () => {
  assert.equal(nextDelay({ number: 1, declineCode: 'stolen_card' }, 5, 60), undefined)
})
