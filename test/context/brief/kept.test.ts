import { expect, it } from 'vitest'
import { isKept } from '../../../src/context/brief/text/kept.ts'

it.each([
  'The refund test with Mollie was done on 27 November 2025.',
  'Sent already.',
  'Delivered on 4 May, Ada signed for it.',
  'We handed over the desks last week.',
  'The list of passenger categories has been sent.',
  'The audit is done.',
  'Withdrawn: the council released us from it.',
])('is kept: %s', (text) => expect(isKept(text)).toBe(true))

it.each([
  'The refund test is done by 12 May.',
  'The desks are delivered on 4 May.',
  'We deliver the desks on 4 May.',
  'Half of the desks were delivered, the rest follows in June.',
  'The desks were not delivered.',
  'The desks haven’t been delivered.',
  'The first lot was sent, the next one comes by the end of June.',
  'The day was moved to 12 June.',
  'Done by Piet by 3 June.',
  'Paid invoices are filed each Monday.',
])('is still owed: %s', (text) => expect(isKept(text)).toBe(false))
