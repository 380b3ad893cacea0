/**
 * Texts and records that never change: their tokens and search documents are compared with stored hashes
 * (test/text/version.test.ts and the formats of the search engines).
 */
import { createHash } from 'node:crypto'
import type { PrecedentRecord } from '../../src/records/record.ts'

const bases = `adopt agree analy bake cach compan config connect cry decid depend deploy die dri encrypt fail fly form
  general gener happ hop index lock migrat neces optim order oscillat queu rat relat retr run scal sens skis station stor
  synchron test tim toler tri troubl us valid vari want`.split(/\s+/)
const endings = `a able ably ae al ally ance ant ate ated ates ating ation ational ator e ed ee eed eedly eing ely ement
  ence ency ent er ered ering ers es fully fulness ible ic ical icate iciti ied ies ing ings ion ions ious isation ise ised
  iser ism iti itive ity ive iveness ization ize ized izer li logy ly ment ments ness ning ousli ousness s ses sses tional
  tted tting us y ying`.split(/\s+/)

/** Words for the rules of the stemmer, stop words, and texts for each rule of the analyzer. */
export const fixedTexts: readonly string[] = [
  ...bases.map((base) => endings.map((ending) => base + ending).join(' ')),
  'We will not use MongoDB for billing, because its transactions cost us more than they are worth.',
  'The connections were connected to Postgres; the company’s teams and companies’ databases weren’t.',
  "Don't! It isn't what they'd said, we've agreed, I'm sure he'll see o'clock, can't, won’t, shan't, let's, y'all.",
  'foo_bar fooBar FOO-BAR foo.bar() HTTP/2 v1.2 v1.2.3-rc.4 10.0.0.1 2024-01-05T10:00Z 1,000.50 0x1F 1e9 3.14. 5',
  'C++ and C# or F#. But c+ is c, c+++, a++b, #hash @user $1.50 50% a&b AT&T node.js .NET R&D I/O TCP/IP 24/7',
  'Straße STRASSE ＡＢＣ ﬁne Ångström naïve İstanbul Łódź œuvre Þórr ĳ ŉ ſ ĸ resumé re\u0301sume\u0301 x² H₂O ½ Ⅷ',
  'Ελλάδα ΕΛΛΑΔΑ λόγος ΛΟΓΟΣ Москва МОСКВА ёлка Україна עִבְרִית العربيّة هٰذا हिन्दी भाषा 한국어 텍스트',
  'データベースを選ぶ ภาษาไทย 中文分词 カタカナ',
  'Überfluß\u00adzeichen co\u200dop zero\u200bwidth non\u00a0breaking 1․2 1…2 “smart” ‘quotes’ – and — dashes… 🚀 👩‍💻 𝛼𝛽',
  `${'long'.repeat(15)} ${'longer'.repeat(20)} ${'𝛼'.repeat(40)} ${'é'.repeat(70)}`,
  'to be or not to be: a about above after against all am an and any are because been before being below between both',
  'but by can cannot could did do does doing down during each few for from further had has have having he her here him',
  'how i if in into is it its itself just me more most my no nor now of off on once only other our out over own same she',
  'should so some such than that the their them then there these they this those through too under until up very was',
  'what when where which while who whom why with would you your yours yourself yourselves also however may might must',
  'Bestellungen, Maschinen, Filialen, Dateien, Batterien, Adressen, Tabellen, Flaschen',
  '',
]

/** Records with words in all fields that search documents are made of. */
export const fixedRecords: readonly PrecedentRecord[] = [
  recordOf('00000000-0000-7000-8000-000000000001', {}),
  recordOf('00000000-0000-7000-8000-000000000002', {
    kind: 'memory',
    valid_to: '2027-01-01T00:00:00.000Z',
    category: null,
    significance: null,
    surface: null,
    topics: [],
    entities: [],
    outcome_status: null,
  }),
  recordOf('00000000-0000-7000-8000-000000000003', { invalidated_at: '2026-03-01T00:00:00.000Z' }),
  recordOf('00000000-0000-7000-8000-000000000004', {
    kind: 'outcome',
    text: 'The queues overflowed.',
    valid_from: '2026-04-01T00:00:00.000Z',
    topics: [],
    body: { decision: '00000000-0000-7000-8000-000000000001', outcome_status: 'mixed' },
    mutable: { decided_by: ['Ann'], decided_at: '2026-01-01T00:00:00.000Z' },
  }),
  recordOf('00000000-0000-7000-8000-000000000005', {
    kind: 'task',
    topics: [],
    entities: [],
    mutable: {
      ...{ status: 'todo', priority: 'high', assignees: ['Ann'], project: 'Billing', labels: ['queues'] },
      ...{ parent_id: '00000000-0000-7000-8000-000000000006', inbox_status: 'unread', decision_ids: [] },
      run: { id: '00000000-0000-7000-8000-000000000007', number: 1, state: 'queued' },
    },
  }),
]

function recordOf(id: string, fields: object): PrecedentRecord {
  const record = {
    id,
    workspace: '00000000-0000-7000-8000-00000000000a',
    record_id: id,
    kind: 'decision',
    seq: 42,
    audience: 'workspace',
    title: 'Queues for the billing service',
    text: 'We use queues, queues and a queue = store. Status: accepted; c++ ~ c#. Queues retry queued jobs. データ',
    status: 'accepted',
    invalidated_at: null,
    valid_from: '2026-01-01T00:00:00.000Z',
    valid_to: null,
    topics: ['billing', 'message queues'],
    category: 'architecture',
    significance: 'high',
    surface: 'backend "core"',
    entities: [
      { type: 'service', name: 'billing' },
      { type: 'team', id: 'payments' },
      { type: 'service', name: 'queue' },
    ],
    outcome_status: 'failure',
    body: { decided_by: ['Ann'] },
    mutable: {},
  }
  return { ...record, ...fields } as unknown as PrecedentRecord
}

/** The hash of a value, whatever the order of its keys. */
export function hashOf(value: unknown): string {
  const text = JSON.stringify(value, (_, one: unknown) => {
    if (one instanceof Uint8Array) return [...one]
    if (one === null || typeof one !== 'object' || Array.isArray(one)) return one
    return Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
  return createHash('sha256').update(text).digest('hex')
}

/** Explains a hash that differs from the one stored for the version. */
export function staleVersion(what: string, version: string): string {
  return `${what} changed. Raise ${version} by one and store the new hash for it. Keep the hashes of earlier versions as they are: only indexes of another version are rebuilt`
}
