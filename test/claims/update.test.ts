import { describe, expect, it } from 'vitest'
import { updates } from '../../src/claims/update.ts'

const statement = (text: string) => {
  const [title, ...rest] = text.split(' | ')
  return rest.length === 0 ? { title: '', text } : { title: title as string, text: rest.join(' | ') }
}
const told = (older: string, newer: string) => updates(statement(older), statement(newer))

/** Older, newer. */
const changed: [string, string][] = [
  [
    'The API allows 100 requests a minute per key.',
    'The limit of the API was raised to 250 requests a minute per key.',
  ],
  [
    'Uploads are limited to 10 MB.',
    'As of 1 March, uploads may have up to 25 MB. The upload limit was raised to 25 MB.',
  ],
  ['Builds run on Jenkins. The agents are in Dublin.', 'Jenkins was replaced by GitHub Actions: all builds run there.'],
  ['The office of the support team is in Basel.', 'The support team moved its office to Zurich.'],
  ['The SDK supports Node 18 and 20.', 'The SDK no longer supports Node 18.'],
  ['Backups of the ledger are kept for 30 days.', 'Ledger backups are now kept for 90 days.'],
  ['Invoices are sent on the 5th by the billing job.', 'As of April 2026 the billing job sends invoices on the 1st.'],
  ['The staging cluster runs in Frankfurt.', 'The staging cluster was decommissioned in May.'],
  ['Sessions are stored in MySQL.', 'Sessions moved from MySQL to Redis in November.'],
  ['Customers pay 12 EUR per seat and month.', 'The price per seat was increased from 12 EUR to 15 EUR.'],
  [
    'Rate limits | 60 calls a second for each partner.',
    'Rate limits | Raised to 120 calls a second for each partner as of June.',
  ],
  [
    'The museum of Lund opens its exhibition of maps on 6 March 2027.',
    'Talked with the museum of Lund about the maps. They moved their opening from 6 March to 20 March 2027.',
  ],
  ['Marta is the on-call lead for payments.', 'On-call lead for payments passed from Marta to Jonas.'],
  ['We deploy on Tuesdays and Thursdays at 10.', 'Since September we deploy at 14 on Tuesdays and Thursdays.'],
  [
    'Access tokens expire after 60 minutes.',
    'Security shortened the lifetime of access tokens from 60 to 15 minutes. They expire sooner.',
  ],
  ['Logs go to Splunk.', 'Logs go to Grafana Loki instead of Splunk since the migration of the logs.'],
  [
    'The mobile app is released every two weeks.',
    'The mobile app is not released every two weeks any more: it ships weekly.',
  ],
  [
    'Expense reports are approved by the team lead up to 500 CHF.',
    'The limit up to which the team lead approves expense reports was lowered to 300 CHF.',
  ],
  ['Terraform state is kept in an S3 bucket.', 'We moved the Terraform state to Terraform Cloud.'],
  ['Our carrier for all parcels is Norlink.', 'As of 1 May the carrier is Velopost.'],
  ['The kitchen gets its fish from Tromsund.', 'As of June the kitchen gets its fish from Havgaard.'],
  ['Ilse Brandt chairs the safety committee.', 'As of 3 March Tomas Reyl chairs the safety committee.'],
  ['The tax filings are prepared by Keller & Co.', 'From 1 January on, the tax filings are prepared by Brightwater.'],
  ['The lease of the van is with Autoring.', 'Since May the lease of the van is with Drivewell.'],
  ["The choir rehearses in St Anne's hall.", 'Rehearsals of the choir moved to the Guild House.'],
  [
    'Physiotherapy appointments take place in the Harbour Street clinic.',
    'Physiotherapy appointments have moved to the Mill Lane clinic.',
  ],
  ['The roster rules are in OptaPlanner.', 'Moved the roster rules from OptaPlanner to CP-SAT.'],
  ['Builds run on Jenkins.', 'All of our builds were moved from Jenkins to GitHub Actions.'],
  ['The stand-up of the crew is on Mondays.', 'The stand-up of the crew moved to Thursdays.'],
]

const unchanged: [string, string][] = [
  [
    'Flights now get their id on the handheld, once.',
    'The handheld switches to a red screen after sunset. The flight form asks for the light source.',
  ],
  [
    'Record architecture decisions | We will use architecture decision records, as described by Nygard.',
    'Record architecture decisions | It is still relevant that it was the decision, but is no longer the decision.',
  ],
  ['The billing service is owned by Ada.', 'The billing service moved to Frankfurt.'],
  ['The billing service sends invoices to customers at night.', 'The billing service moved to Frankfurt.'],
  ['Ada signs the contract with Acme.', 'Ben replaces Ada as on-call lead.'],
  ['The API allows 100 requests a minute per key.', 'Uploads to the API were raised to 25 MB.'],
  ['The SDK is published to npm.', 'The SDK no longer supports Node 18.'],
  ['Backups of the ledger are encrypted.', 'Ledger backups are now kept for 90 days.'],
  [
    'The staging cluster is paid by the platform team out of its own budget.',
    'The staging database was decommissioned in May.',
  ],
  ['Sessions end after 20 minutes.', 'Sessions moved from MySQL to Redis in November.'],
  [
    'The limit of the API is 250 requests a minute per key.',
    'The limit of the API was raised to 250 requests a minute per key.',
  ],
  ['Sessions are stored in Redis.', 'Sessions moved from MySQL to Redis in November.'],
  ['Builds run on GitHub Actions.', 'Jenkins was replaced by GitHub Actions: all builds run there.'],
  ['Uploads are limited to 10 MB.', 'Should the upload limit of 10 MB be raised to 25 MB?'],
  ['Uploads are limited to 10 MB.', 'If the upload limit is raised to 25 MB, uploads are slow.'],
  ['We deploy on Tuesdays at 10.', 'We have deployed 14 services since Tuesday.'],
  ['The harvest in Basel begins in May.', 'The office moved to Basel.'],
  ['Rate limits protect the API from abuse by partners.', 'The price of the API was raised to 15 EUR.'],
  ['Access tokens expire after 60 minutes.', 'Refresh tokens now expire after 30 days.'],
  ['The support team answers within 4 hours.', 'The support team grew to 12 people.'],
  ['Our carrier in Norway is Norlink.', 'As of 1 May the carrier in Sweden is Velopost.'],
  ['The kitchen gets its fish from Tromsund.', 'As of June the kitchen gets its vegetables from Havgaard.'],
  ['Ilse Brandt chairs the safety committee.', 'As of 3 March Tomas Reyl chairs the finance committee.'],
  ['The tax filings are due on 31 July.', 'From 1 January on, the tax filings are prepared by Brightwater.'],
  ['The lease of the van is with Autoring.', 'Since May the lease of the van is paid by standing order.'],
  ['The choir rehearses on Thursdays.', 'Rehearsals of the choir moved to the Guild House.'],
  ['The night bus stops at Corn Market.', 'The airport bus no longer stops at Corn Market.'],
  ['Until the end of 2021, Moser towed our cars.', 'RoadAngel has been towing our cars since January 2022.'],
  ['We signed the contract with Nordvik on 4 February.', 'The contract with Nordvik is effective from 1 April.'],
  ['The audio team wants auto-save switched on.', 'The design team wants auto-save switched off, since it stalls.'],
  ['Monday call | Ada leads the call.', 'Friday call | As of June Ben leads the call.'],
  ['OptaPlanner stays until the rules are ported.', 'Moved the first roster rules from OptaPlanner to CP-SAT.'],
  ['Builds run on Jenkins.', 'Half of our builds were moved from Jenkins to GitHub Actions.'],
  ['The Monday call lasts 20 minutes.', 'The Friday call was extended to 30 minutes.'],
]

describe('updates', () => {
  it.each(changed)('“%s” was changed by “%s”', (older, newer) => {
    expect(told(older, newer)).toBeDefined()
  })

  it.each(unchanged)('“%s” was not changed by “%s”', (older, newer) => {
    expect(told(older, newer)).toBeUndefined()
  })

  it('returns both sentences verbatim', () => {
    const older = { title: 'Limits', text: 'The API has keys. It allows 100 requests a minute per key of the API.' }
    const newer = { title: 'Limits', text: 'We met Acme. The API limit was raised to 250 requests a minute per key.' }
    expect(updates(older, newer)).toEqual({
      was: 'It allows 100 requests a minute per key of the API.',
      changed: 'The API limit was raised to 250 requests a minute per key.',
    })
  })

  it('the older statement never updates the newer one that told the change', () => {
    for (const [older, newer] of changed) expect(told(newer, older), older).toBeUndefined()
  })
})
