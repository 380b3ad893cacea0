/**
 * The contradiction rule on pairs that the author of the rule wrote (pairs-of-the-author.jsonl). They prevent regressions
 * and measure nothing. The pairs in test/quality/claims come from another author.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contradictionOf } from '../../src/claims/contradiction.ts'
import { valuesIn } from '../../src/claims/reading/values.ts'

interface Pair {
  contradicts: boolean
  a: string
  b: string
}
const pairs = readFileSync(join(import.meta.dirname, 'pairs-of-the-author.jsonl'), 'utf8')
  .split('\n')
  .flatMap((line): Pair[] => (line === '' ? [] : [JSON.parse(line)]))

const find = (a: string, b: string) => contradictionOf({ title: '', text: a }, { title: '', text: b })?.differsIn

describe('the contradiction rule', () => {
  it.each([
    ['Sprint 14', 'Sprint 15'],
    ['Monday Planning', 'Thursday Planning'],
    ['March newsletter', 'April newsletter'],
  ])('does not compare records whose titles name two things: “%s” and “%s”', (title, other) => {
    const [a, b] = ['The velocity of the team was 30 points.', 'The velocity of the team was 35 points.']
    expect(contradictionOf({ title, text: a }, { title: other, text: b })).toBeUndefined()
    expect(contradictionOf({ title, text: a }, { title, text: b })).toBeDefined()
  })

  it.each([
    ['Pages should load in 2 s.', 'Pages load in 5 s.'],
    ['The search page should answer within 300 ms.', 'The search page answers in 450 ms.'],
    ['The nightly export is to finish within 20 minutes.', 'The nightly export finishes in 35 minutes.'],
  ])('does not take a goal and what was measured for a contradiction: “%s” “%s”', (goal, measured) => {
    expect([find(goal, measured), find(measured, goal)]).toEqual([undefined, undefined])
  })

  it.each([
    [
      'The outage of 9 February was caused by an expired certificate on the lock gateway.',
      'The outage of 17 June was caused by a full disk on the lock gateway.',
    ],
    ['The minutes of the meeting of 3 May are lost.', 'The minutes of the meeting of 9 June are not lost.'],
    ['The audit of 2026-01-14 found 3 gaps in the key log.', 'The audit of 20 May 2026 found 7 gaps in the key log.'],
    ['The report is sent to Velta on 15 October 2026.', 'The report was sent to Velta on 14 October.'],
    ['The new gate will be delivered on 3 May.', 'The new gate was delivered on 2 May.'],
  ])('does not compare two events, or a report with a rule or a promise: “%s” “%s”', (one, other) => {
    expect([find(one, other), find(other, one)]).toEqual([undefined, undefined])
  })

  it.each([
    ['The outage of 9 February was caused by a full disk.', 'The outage of 9 February 2026 was caused by a dead fan.'],
    ['The report is sent to Velta on 15 October 2026.', 'The report is sent to Velta on 22 October 2026.'],
    ['The contract with Velta was signed on 3 May.', 'The contract with Velta was signed on 5 May.'],
    ['The deadline of 3 May is fixed for the tender.', 'The deadline of 9 May is fixed for the tender.'],
  ])('compares one event, two promises and two reports of one thing: “%s” “%s”', (one, other) => {
    expect([find(one, other), find(other, one)]).toEqual([expect.anything(), expect.anything()])
  })

  it.each([
    ['Only Ada Byron and Olu Adeyemi hold root on Keel.', 'Declan Foyle is the line manager of Olu Adeyemi.'],
    ['The board consists of Priya Raman and Declan Foyle, nobody else.', 'Olu Adeyemi reports to Declan Foyle.'],
    ['The Lofoten chair is made only in oak and ash.', 'Holm & Tarrow uses oak and ash for its chairs.'],
  ])('does not compare what is told of one person or thing on a list: “%s” “%s”', (list, one) => {
    expect([find(list, one), find(one, list)]).toEqual([undefined, undefined])
  })

  it.each([
    ['The kiosk at the pier restarts by itself at 03:00.', 'The kiosk at the pier never reboots on its own.'],
    ['Staff at the market gates may accept cash.', 'Cash is not accepted at any of our market gates.'],
    [
      'Rowing boats need a permit on the Elde line in July.',
      'No permit for rowing boats on any line, the warden only counts them.',
    ],
  ])('finds a denial that names no exception: “%s” “%s”', (one, denial) => {
    expect([find(one, denial), find(denial, one)]).toEqual(['negation', 'negation'])
  })

  it.each([
    ['None of the 30 test boards cracked.', 'All 30 test boards stayed free of cracks.'],
    [
      'Guest parking at Elm Court is free for two hours.',
      "At Elm Court a guest's car costs nothing during the first 120 min.",
    ],
  ])('reads “free of” and “costs nothing” as what they say: “%s” “%s”', (one, same) => {
    expect([find(one, same), find(same, one)]).toEqual([undefined, undefined])
  })

  it.each([
    ['Shifts start at 7.', 'Shifts end at 15.'],
    ['The lease begins 5 days after the deposit.', 'The lease expires 90 days after the deposit.'],
  ])('does not compare when something starts with when it ends: “%s” “%s”', (start, end) => {
    expect([find(start, end), find(end, start)]).toEqual([undefined, undefined])
  })

  it('takes “may” for a limit in its own clause only', () => {
    const kept = 'Crew duty logs are kept for two years.'
    expect(find(kept, 'We keep crew duty logs for five years, because the state may ask.')).toBe('number')
    expect(find('Crew duty logs may be kept for five years.', kept)).toBeUndefined()
  })

  it('finds something in at most one in thirty of the pairs that can both be true and differ in one small word', () => {
    const others = pairs.filter(({ contradicts }) => !contradicts)
    expect(others.filter(({ a, b }) => find(a, b)).length).toBeLessThanOrEqual(others.length / 30)
  })

  it('finds two fifths of the contradicting pairs, in either order', () => {
    const all = pairs.filter(({ contradicts }) => contradicts)
    const found = all.filter(({ a, b }) => find(a, b))
    expect(found.length).toBeGreaterThan((2 / 5) * all.length)
    expect(found.filter(({ a, b }) => !find(b, a))).toEqual([])
  })

  it.each([
    ['number', 'Copies of the ledger are kept for 3 years.', 'We keep copies of the ledger for 7 years.'],
    ['date', 'The lease of the Bristol office ends on 30 June.', 'Our lease of the Bristol office ends on 1 July.'],
    ['name', 'The API gateway is owned by team Platform.', 'Team Edge owns the API gateway.'],
    [
      'role',
      'The budget of each clinic is approved by the head of finance.',
      'The managing director approves the budget of each clinic.',
    ],
    [
      'opposite',
      'The clean-up job of the ledger must run before the nightly import.',
      'The clean-up job of the ledger must run after the nightly import.',
    ],
    [
      'negation',
      'Freelancers may not use the VPN of the clinic.',
      'Freelancers are allowed to use the VPN of the clinic.',
    ],
    [
      'list',
      'The archive of the clinic is copied to Lund and Oslo and nowhere else.',
      'The archive of the clinic is copied to Lund, Oslo and Turku.',
    ],
    [
      'list',
      'Write access to the ledger is limited to the auditors and the payroll team.',
      'Three groups have write access to the ledger: the auditors, the payroll team and the interns.',
    ],
    ['number', 'No tenant may run more than 5 export jobs.', 'A tenant must not run more than 3 export jobs.'],
    [
      'number',
      'Invoice files above 6 MB are rejected at the ledger gateway.',
      'The ledger gateway takes invoice files of up to 10 MB.',
    ],
    ['number', 'The game client supports Windows 10 and later.', 'The game client needs Windows 11.'],
    ['number', 'The scheduler of the ledger runs on Redis 7.', 'The scheduler of the ledger runs on Redis version 6.'],
    ['number', 'Staff at the Turku plant get 28 paid days off.', 'Staff at the Turku plant get 25 days off, paid.'],
    [
      'date',
      'The full backup of the ledger database starts at 02:00.',
      'At 04:30 the full backup of the ledger database kicks off.',
    ],
    ['date', 'The ledger caches are purged every Sunday.', 'The ledger caches are purged every Wednesday.'],
    ['opposite', 'The replica of the ledger is fed synchronously.', 'The replica of the ledger is fed asynchronously.'],
    ['opposite', 'Marketing mails are opt-in for new users.', 'Marketing mails are opt-out for new users.'],
    ['opposite', 'The ledger report includes open orders.', 'The ledger report leaves open orders out.'],
    [
      'role',
      'Changes in the production zone are approved by the security lead.',
      'Changes in the production zone are approved by the engineer on call.',
    ],
    [
      'role',
      'Ada Lind wrote the threat model of the ledger and Ivo Berg reviewed it.',
      'Ivo Berg wrote the threat model of the ledger and Ada Lind reviewed it.',
    ],
    [
      'role',
      'Node lg-1 is the primary of the ledger cluster, lg-2 is its replica.',
      'Node lg-2 is the primary of the ledger cluster, lg-1 is its replica.',
    ],
    [
      'role',
      'The ward nurse orders the dressings and the pharmacist confirms them.',
      'The pharmacist orders the dressings and the ward nurse confirms them.',
    ],
    ['number', 'Receipts of the ledger are kept for ten years.', 'We delete receipts of the ledger after seven years.'],
    ['role', 'Ada owns the ledger service.', 'The ledger service is owned by Ivo.'],
    ['number', 'Snapshots of the ledger are taken nightly.', 'Snapshots of the ledger are taken every six hours.'],
    [
      'number',
      'The first-year discount is 8 percent of the price.',
      'In the first year the discount is 12 percent of the price.',
    ],
    ['opposite', 'A badge is required in the lab.', 'A badge is optional in the lab.'],
    [
      'name',
      'The build image of the ledger is based on Debian 12.',
      'The build image of the ledger is based on Alpine 3.19.',
    ],
    ['name', 'The head of the clinic is Ada Lind.', 'The head of the clinic is Ivo Berg.'],
    ['name', 'All alarms of the ledger land in #ledger-ops.', 'All alarms of the ledger land in #night-watch.'],
    ['name', 'The primary region of the ledger is eu-central-1.', 'The primary region of the ledger is eu-west-1.'],
    ['number', 'The ledger runs on Java 21.', 'The ledger runs on JDK 17.'],
    [
      'number',
      'The goods lift in Turku carries at most 900 kg.',
      'The goods lift in Turku carries at most 900 pounds.',
    ],
    [
      'number',
      'On every label of the pharmacy the dose is printed in milligrams.',
      'On all labels of the pharmacy the dose is printed in micrograms.',
    ],
    [
      'opposite',
      'The ledger charges the card before it issues the ticket.',
      'The ledger charges the card after it issues the ticket.',
    ],
    [
      'name',
      'Payment reminders to patients are sent through Postmark.',
      'Payment reminders to patients are sent through Mailgun.',
    ],
    [
      'role',
      'Stock counts in Turku are done by the evening shift.',
      'In Turku the day shift, not the evening shift, does the stock counts.',
    ],
    [
      'role',
      'The wage list of the clinic is checked by the pharmacist.',
      'The clinic manager checks the wage list of the clinic, and the pharmacist only gets a copy.',
    ],
    ['number', 'The ledger module costs 12 euros per user.', 'The ledger module costs 12 euros per branch.'],
    [
      'date',
      'Wages of the clinic are paid on the 20th of each month.',
      'The clinic pays wages on the last working day of the month.',
    ],
    [
      'date',
      'The ledger export leaves at 18:00 on every working day.',
      'On every working day the ledger export leaves at half past eight in the evening.',
    ],
  ])('reports a difference in a %s', (differsIn, a, b) => {
    expect(find(a, b)).toBe(differsIn)
  })

  it('takes “it” for the subject of the sentence before', () => {
    const a = { title: '', text: 'We tried guest checkout in the Turku shop. It is disabled.' }
    const b = { title: '', text: 'Guest checkout in the Turku shop is enabled.' }
    expect(contradictionOf(a, b)?.differsIn).toBe('opposite')
  })

  it.each([
    ['a unit', 'Copies of the ledger are kept for 2 weeks.', 'We keep copies of the ledger for 14 days.'],
    [
      'an environment',
      'Copies of the ledger are kept for 3 years.',
      'Staging copies of the ledger are kept for 7 years.',
    ],
    ['a numbered subject', 'Invoice 1041 was paid by Acme.', 'Invoice 1042 was paid by Acme.'],
    ['a coded subject', 'The customer with the id a-17 has paid.', 'The customer with the id a-18 has paid.'],
    ['a numbered place', 'The printer in room 12 is black.', 'The printer in room 14 is not black.'],
    [
      'a period',
      'No change goes to production from 2025-12-20 until 2026-01-04.',
      'No change goes to production from 2024-12-20 until 2025-01-04.',
    ],
    ['an update', 'Copies of the ledger are kept for 3 years.', 'Since May copies of the ledger are kept for 7 years.'],
    [
      'a condition',
      'Copies of the ledger are kept for 3 years.',
      'If asked, we keep copies of the ledger for 7 years.',
    ],
    ['a season', 'The Malmö desk is open until 18:00 in winter.', 'In summer the Malmö desk stays open until 20:00.'],
    [
      'what happens every year',
      'The audit report of Brightwater is due on 2027-01-29.',
      'The audit report of Brightwater is due each June.',
    ],
    [
      'another role of a name',
      'Every log line is one JSON object on stdout with level and site_id.',
      'Each log line is a JSON object that can be searched in the log UI.',
    ],
    ['a plan', 'The free plan has one user.', 'The business plan has ten users.'],
    [
      'the other side of a limit',
      'Payments above 10,000 euros need two signatures.',
      'Payments of up to 10,000 euros need one signature.',
    ],
    [
      'lists that leave room for more',
      'We copy the ledger to Lund and Oslo.',
      'We copy the ledger to Lund, Oslo and Turku.',
    ],
    ['another plan by any name', 'The starter plan has 1 GB of memory.', 'The growth plan has 16 GB of memory.'],
    [
      'a denial of the opposite',
      'A cost centre is optional in the form.',
      'A cost centre is not required in the form.',
    ],
    ['two names on both sides', 'The courier at Lund is Medirapid.', 'The courier at Turku is Kurier Nord.'],
    ['initials', 'Purchases are approved by the CFO.', 'Purchases are approved by the chief financial officer.'],
    ['binary units', 'A message may have up to 1 MiB.', 'A message may have up to 1,048,576 bytes.'],
    ['what begins and what ends', 'Enrolment opens on 1 August.', 'Enrolment closes on 30 September.'],
    ['a subject of two words and a number', 'Load test 5 uses the zebra data.', 'Load test 6 uses the heron data.'],
    ['a later version', 'The app supports iOS 15.1 and later.', 'The app runs on iOS 16.'],
    ['megabits', 'The line carries 250 Mbit/s.', 'The line has 250 megabits per second.'],
    [
      'the same order told the other way round',
      'The ledger removes duplicates before it stores an entry.',
      'The ledger stores an entry after it has removed duplicates.',
    ],
    [
      'a denial that “until” takes back',
      'No price table goes live until the revenue desk has approved it.',
      'The revenue desk approves a price table before it goes live.',
    ],
    [
      'another place',
      'In Denmark the only partner of the ledger is Volthop.',
      'In Norway the only partner of the ledger is PlugUnion.',
    ],
    [
      'another owner',
      "Lund's priority tickets are answered in 2 hours.",
      "Turku's priority tickets are answered in 4 hours.",
    ],
    [
      'who may, told by who may not',
      'Nobody outside the pharmacy and the ward office can open the drug safe.',
      'Only the pharmacy and the ward office can open the drug safe.',
    ],
    [
      'the same list of weekdays',
      'Visits on the north ward are possible on Wednesday, Saturday and Sunday only.',
      'On the north ward visits are possible on Wednesday, Saturday and Sunday only.',
    ],
    [
      'a denial with its reason',
      'Interns have no remote access to the ledger.',
      'Interns have no remote access to the ledger, the licence forbids it.',
    ],
    [
      'a condition that denies',
      'The turnstile stays open when it cannot reach the badge server.',
      'The turnstile stays open when the badge server is down.',
    ],
    ['a weekday that names a thing', 'The Tuesday round is led by Ada Lind.', 'The Friday round is led by Ivo Berg.'],
    ['a month that names a thing', 'The March issue has 12 pages.', 'The April issue has 16 pages.'],
    ['two events', 'The storm on 3 April closed the Lund gate.', 'The storm on 11 May closed the Lund gate.'],
    [
      'a budget and what was spent',
      'The Lund stand may cost 30,000 euros.',
      'In the end the Lund stand cost 34,000 euros.',
    ],
    ['a door by its number', 'I believe that door 6 is never locked.', 'I believe that door 1 is never locked.'],
    ['versions side by side', 'The ledger API offers version 2.', 'The ledger API offers version 3.'],
    ['another rate', 'Drivers in Lund pay 48 pence per kWh.', 'Drivers in Lund pay 20 pence per minute.'],
    [
      'the rest of the day',
      'The Lund gate is closed from 22:00 to 06:00.',
      'The Lund gate is open from 06:00 to 22:00.',
    ],
    ['another time zone', 'The ledger window opens at 17:00 UTC.', 'The ledger window opens at 19:00 CEST.'],
    ['what need not be', 'Stewards in Lund need not wear gloves.', 'Stewards in Lund may wear gloves.'],
    [
      'an exception',
      'Pull requests to the ledger need two approvals; changes of documents are the exception.',
      'Pull requests to the ledger need one approval.',
    ],
    [
      'the share that is left',
      'The ledger answers 99.9 % of all requests.',
      'The ledger fails on at most 0.1 % of all requests.',
    ],
    ['who does something else', 'Ada Lind wrote the alcohol policy.', 'Ivo Berg approved the alcohol policy.'],
    ['who may, with others', 'Refunds may be approved by Ada Lind.', 'Refunds may be approved by Ivo Berg.'],
    ['the old name of a version', 'The ledger runs on Java 8.', 'The ledger runs on Java 1.8.'],
    [
      'what is excluded for something else',
      'The day shift, not the evening shift, does the stock counts in Turku.',
      'The evening shift locks the warehouse in Turku.',
    ],
    [
      'the same amount for each of two things that one names only once',
      'The ledger module costs 12 euros per user.',
      'The ledger module costs 12 euros a month.',
    ],
    ['a verb that any choice has', 'We choose Kafka.', 'We choose Kiosks.'],
    [
      'the same denial in other words',
      'Agents may not push to the ledger.',
      'Pushing to the ledger is forbidden for agents.',
    ],
    [
      'how long it takes, and how long it is kept',
      'The backup of the ledger takes 40 minutes.',
      'Backups of the ledger are kept for 35 days.',
    ],
    [
      'a quotation',
      'The ledger runs on Java 21.',
      "The slides of 2023 say 'the ledger runs on Java 11', so ignore them.",
    ],
    [
      'a number in words',
      'Each pallet holds 1,440 jars of jam.',
      'Each pallet holds one thousand four hundred and forty jars of jam.',
    ],
    [
      'a limit that is met',
      'Copies of the ledger are kept for at most 9 years.',
      'We keep copies of the ledger for 7 years.',
    ],
    ['what is needed too', 'The ledger app needs iOS 16.', 'The ledger app needs Android 12.'],
    ['a deletion', 'Receipts of the ledger are kept for 30 days.', 'Receipts of the ledger are deleted after 30 days.'],
    ['the passive', 'Gate calls Keyring to fetch open bookings.', 'Keyring is called by Gate to fetch open bookings.'],
    [
      'the order of the words',
      'Names of branches start with the number of the ticket.',
      'Branches start with the ticket number in their names.',
    ],
  ])('does not find a contradiction because of %s', (_, a, b) => {
    expect(find(a, b)).toBeUndefined()
  })
})

describe('valuesIn', () => {
  it.each([
    ['1,000 ms', 'a second', '1 second'],
    ['20 percent', 'one in five', '20 %'],
    ['twelve weeks', '84 days', '84 days'],
    ['an hour and 34 minutes', '94 min', '94 minutes'],
    ['three quarters of an hour', '45 min', '45 minutes'],
    ['the fifth of each month', 'the 5th of every month', 'the 5th'],
    ['3 November 2025', '2025-11-03', 'Nov 3, 2025'],
    ['the second quarter', 'Q2', 'Q2'],
    ['8:30 pm', '20:30', 'half past eight in the evening'],
    ['$204k', '204,000 dollars', 'USD 204000'],
  ])('reads %s, %s and %s as the same value', (one, other, third) => {
    const [a, b, c] = [one, other, third].map((text) => {
      const value = valuesIn(`It is in ${text}.`).values.at(0)
      return value?.type === 'amount' ? { ...value, written: 0 } : value
    })
    expect(a).toBeDefined()
    expect(c).toEqual(a)
    if (b) expect(b).toEqual(a)
  })

  it.each([
    ['Orders above 5,000 euros need a second signature.', 'money'],
    ['The certificate is valid for 6 ans.', 'count'],
  ])('reads no rate from %s', (text, dimension) => {
    expect(valuesIn(text).values.filter(({ type }) => type === 'amount')).toMatchObject([{ dimension, rate: 0 }])
  })

  it.each([
    ['The vault is kept at -18 °C and 15 % humidity.', [-18, -18, 'heat', 15, 15, 'share']],
    ['The vault is kept at minus 18 degrees.', [-18, -18, 'heat']],
    ['The vault is kept between -22 °C and -18 °C.', [-22, -18, 'heat']],
    ['It rings when it is warmer than −15 °C.', [-15, -15, 'heat']],
    ['Each team has - 5 people, and 10-20 users.', [5, 5, 'count', 10, 20, 'count']],
  ])('reads a minus before a temperature: %s', (text, read) => {
    const values = valuesIn(text).values.flatMap((one) =>
      one.type === 'amount' ? [one.low, one.high, one.dimension] : [],
    )
    expect(values).toEqual(read)
  })

  it.each([
    'Each key may send 100 requests per second per client.',
    'Each key may send 100 requests a second per client.',
  ])('reads the rate of %s', (text) => expect(valuesIn(text).values).toMatchObject([{ low: 100, rate: 1 }]))

  it('reads a season that only names something as no date', () => {
    expect(valuesIn('The first day of the autumn semester is 7 September.').values).toHaveLength(1)
    expect(valuesIn('We move in the autumn and stay.').values).toHaveLength(1)
  })
})
