import { describe, expect, it } from 'vitest'
import { dueDay, heldUntil, periodIn } from '../../../src/context/brief/text/due.ts'

const due = (text: string) => dueDay(text, '2026-11-19T08:00:00Z')

describe('the only day that a commitment names, with “on”', () => {
  it.each([
    ['The panels are handed over in Ghent on 20 November 2026.', '2026-11-20'],
    ['We deliver the pedestals to Delft on 2 December.', '2026-12-02'],
    ['The desks are delivered on 2 December.', '2026-12-02'],
    ['Lucia hands over the inventory on Friday 4 December.', '2026-12-04'],
    ['Lucia hands over the inventory on Friday, 4 December.', '2026-12-04'],
    ['The bronzes go to the fair on the morning of 11 December.', '2026-12-11'],
    ['Eight bronzes for the fair, delivered on the morning of 11 December.', '2026-12-11'],
    ['On 1 December the bank gets our list.', '2026-12-01'],
    ['We promised that the lift runs on 14 December.', '2026-12-14'],
    ['Told the owner: the lift runs on 14 December.', '2026-12-14'],
    ['All lamps will be returned on 24 December 2026.', '2026-12-24'],
    ['The new till goes live on 11 January.', '2027-01-11'],
    ['The glass gets sent on 3 December to Metz.', '2026-12-03'],
    ['Kim gives the course on 9 December, eight people.', '2026-12-09'],
    ['The crane is to be tested on 7 December.', '2026-12-07'],
    ['Pim brings the crates to the museum on 7 December.', '2026-12-07'],
    ['The report must be with Acme on December 16.', '2026-12-16'],
    ['Finance sends the calculation for the offer on 16 December.', '2026-12-16'],
  ])('is its due day: “%s”', (text, day) => expect(due(text)).toBe(day))

  it.each([
    'Since the meeting on 3 May we send the list weekly.',
    'As agreed on 3 May, Acme gets the list weekly.',
    'Acme gets the list weekly, as agreed on 3 May 2026.',
    'The contract signed on 3 May 2026 holds for two years.',
    'We signed on 3 December and deliver in spring.',
    'Acme gets the list weekly; this was decided on 20 November 2026.',
    'Acme paid on 20 November 2026.',
    'They came on 20 November and go home soon.',
    'We met them on Friday, 4 December.',
    'If the works arrive on 3 December, we unpack them within a day.',
    'When the crane comes on 3 December we close the road.',
    'The crates that arrive on 3 December stay until spring.',
    'Our contract ends on 31 December 2026.',
    'The offer expires on 31 December.',
    'The permit lapses on Friday 4 December.',
    'Nobody works on 25 December.',
    'The shop is closed on 25 December.',
    'We do not open on 1 January 2027.',
    "The museum isn't open on 1 January 2027.",
    'Every year on 1 December Acme gets the list.',
    'We send the list each year on 1 December.',
    'In our call on 24 November Acme got a promise of ten lamps.',
    'In the letter on 24 November we promise ten lamps.',
    'Acme gets ten lamps (written on 24 November).',
    'Acme gets ten lamps, says the mail sent on 24 November.',
    'Ten lamps for Acme, promised on 24 November 2026.',
    'The order made on 24 November goes out within a week.',
    'The answer depends on 24 December.',
    'We deliver on 2 December or on 9 December.',
    'First part on 2 December, second part on 9 December.',
    'We deliver on 2 and 3 December.',
    'We deliver from 2 December.',
    'Acme is our guest from 7 to 13 December 2026.',
    'Because the road is shut on 2 December we come by train.',
    'After the talk on 24 November we give them a week more.',
    'The minutes of the board on 24 November bind us to ten lamps.',
    'Unless it rains on 2 December, all is fine.',
    'On 20 November we met and said yes to ten lamps.',
    'We have been told on 20 November to wait.',
    'Ada wrote on 20 November 2026 that Acme gets ten lamps.',
    'Acme gets the lamps in the state they had on 20 November 2026.',
    'The price is that of the list on 3 May.',
    'The rate of the day counts as published on 20 November 2026.',
    'Acme gets what it ordered on 20 November 2026.',
    'Acme gets ten lamps on 1 October 2026.',
    'We deliver in the week of 7 December.',
    'The lamps hang on hook 3 in December.',
  ])('is no due day if it is over, of something else, or nothing is done on it: “%s”', (text) =>
    expect(due(text)).toBeUndefined(),
  )

  it('is no due day if another day is named with “by”', () => {
    expect(due('We deliver on 2 December, all is paid by 20 December.')).toBe('2026-12-20')
  })

  it('is no due day without a year if it would be far ahead, as a day that is over would be', () => {
    expect(due('We give them the hall on 3 October.')).toBeUndefined()
    expect(due('We give them the hall on 3 October 2027.')).toBe('2027-10-03')
  })
})

describe('days in a text', () => {
  it.each([
    ['Acme gets it by 2026-03-31.', '2026-03-31'],
    ['The draft is read by 20 November 2026, the letters are sent by the end of 2026-11-30.', '2026-11-30'],
    ['Due on March 3, 2026.', '2026-03-03'],
    ['Acme met us on 2026-03-31.', undefined],
    ['Acme gets it by Friday.', undefined],
    ['Acme gets it by mid-November 2026.', '2026-11-15'],
    ['Acme gets it by the middle of March 2027.', '2027-03-15'],
    ['Acme gets it by mid-2026.', undefined],
    ['Acme gets it by 1 December.', '2025-12-01'],
    ['Acme gets it by 15 January.', '2026-01-15'],
    ['Acme got it by 8 November.', '2025-11-08'],
    ['Acme gets a report every year by 31 January.', undefined],
    ['Acme gets it by December 2026.', '2026-12-31'],
    ['Acme gets it by the end of February 2026.', '2026-02-28'],
    ['The audit is over by the end of April.', '2026-04-30'],
    ['The desks arrive by Q2 2026.', '2026-06-30'],
    ['All of it moves by the end of the first quarter of 2026.', '2026-03-31'],
    ['All of it moves by the end of 2026.', '2026-12-31'],
    ['We send the plans before March 2026.', undefined],
    ['We send the plans before the end of March 2026.', '2026-03-31'],
    ['Ten lamps for Acme, with a deadline of 3 March 2026.', '2026-03-03'],
    ['The gate stays open until March 2026.', undefined],
    ['The plans are drawn in March 2026 and in May 2026.', undefined],
    ['Acme gets it by 28.02.2026.', '2026-02-28'],
    ['Acme gets it by 2.3.2026.', '2026-03-02'],
    ['Acme gets it by 28/02/2026.', '2026-02-28'],
    ['Acme gets it by 02/28/2026.', '2026-02-28'],
    ['Acme gets it by 02/03/2026.', undefined],
    ['Acme gets it by 03/03/2026.', '2026-03-03'],
    ['The roof is finished by Tuesday, 3 March 2026.', '2026-03-03'],
    ['The roof is finished by Tue 3 March.', '2026-03-03'],
    ['We pay them by the 3rd of March 2026.', '2026-03-03'],
    ['The answer is sent not later than March 3rd.', '2026-03-03'],
    ['The deadline for the offer to Acme is March 3rd, 2026.', '2026-03-03'],
    ['The offer to Acme: deadline is 3 March.', '2026-03-03'],
    ['An offer for ten lamps, due date: 2026-03-03.', '2026-03-03'],
    ['Team 2 may help; Acme gets it on 3 March 2026.', '2026-03-03'],
  ])('“%s” is due on %s', (text, day) => expect(dueDay(text, '2025-11-19T08:00:00Z')).toBe(day))

  it('a period has a first and a last day', () => {
    expect(periodIn('No change from 2026-11-16 until 2027-01-04.')).toEqual({ from: '2026-11-16', to: '2027-01-04' })
    expect(periodIn('No change until 2027-01-04.')).toBeUndefined()
    expect(heldUntil('Ada is on call until 2026-05-31.')).toBe('2026-05-31')
    expect(heldUntil('Ada has been on call since 2026-05-31.')).toBeUndefined()
  })
})
