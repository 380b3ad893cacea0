/** Word lists: synonyms in company texts, generic words, and stop words. */
import { analyze } from '../../../text/analyzer.ts'

/**
 * Each line is a group of synonyms; the first word represents it. `*` marks verbs, which one of two claims may leave out.
 * The analyzer stems all words, so each stands for all its forms.
 */
const groups = `
*last take run need
*keep hold store retain save preserve retention conservées gardons garder conserve guarda aufbewahrt gespeichert
*delete remove drop destroy erase purge discard wipe deletion removal supprimées gelöscht
*begin start commence beginning
*open
*end expire terminate finish lapse expiry expiration conclude
*close
*launch
*answer respond reply response
*resolve fix resolution
*approve authorise authorize signoff approval
*sign signature
*pay payment payable
*send dispatch mail forward ship
*deliver delivery
*come
*work
*receive
*publish release
*issue
*deploy rollout deployment
*buy purchase procure source
*sell
*certify certified certification
*tell
*cut
*raise increase
*sample sampling
*settle
*see view
*fill
*lead head chair direct
*manage
*own ownership
*teach instruct lecture
*review check inspect examine
*rotate renew rotation
*build compile
*write
*require demand requirement
*allow permit let enable entitle grant
*limit cap restrict maximum max ceiling largest longest
length long duration
*support
*include contain cover comprise inclusion
*cost charge
*locate situate base sit lie
*present
*maintain upkeep
*provide supply offer
*host
*bill invoice
*book reserve reservation booking
*collect
*process handle
*carry lift bear
*ask request
*file submit submission
*back backup
*measure
*meet gather
*train
*visit
*copy duplicate
*access reach
*show display
*record
*notify inform alert
*move go
*update
*create
*add
*load
*change modify alter edit
*convert
*return
*test
*report
*repair
*rent lease hire
*lend loan
*clean
*feed
*lock
*wear
*enter
*attend attendance
*employ utilise
*serve
*log
*track
*monitor
*schedule
*transfer
*replicate
*connect
*encrypt encryption
*heat heating
*deduct deductible
customer client buyer
staff employee personnel worker
price fee tariff
location site venue
licence license
production prod
development dev
database db
authentication auth
kubernetes k8s
postgres postgresql
repository repo
environment env
documentation docs
application app
vacation holiday
team squad
engineer developer
person people
external outside
agreement contract
error failure
picture image photo
office bureau
firm company
handbook manual
pupil schoolchild
doctor physician
car vehicle
lorry truck
laptop notebook
salary wage
colleague coworker
outage downtime
fiscal financial
`

const irregular: ReadonlyMap<string, string> = new Map(
  `kept keep|paid pay|built build|sent send|told tell|taught teach|bought buy|sold sell|held hold|led lead|written write
wrote write|lent lend|met meet|ran run|chosen choose|drawn draw|driven drive|shown show|worn wear|begun begin|began begin
fed feed|spent spend|lost lose|went go|gone go|came come|chose choose|found find|left leave|lit light|frozen freeze|seen see
publication publish|spoken speak|used employ|use employ|uses employ|using employ|sung sing|won win|ended end|signed sign|shut close`
    .split(/[|\n]/)
    .map((pair) => pair.split(' ') as [string, string]),
)

/** Expects lower case. A function declaration, because the tables below call it while this module loads. */
export function stemOf(word: string): string {
  const plain = irregular.get(word) ?? word
  return analyze(plain)[0] ?? plain
}

const lines = groups
  .trim()
  .split('\n')
  .map((line) => ({ isAction: line.startsWith('*'), stems: line.replace('*', '').split(' ').map(stemOf) }))

const canonical: ReadonlyMap<string, string> = new Map(
  lines.flatMap(({ stems: [first, ...others] }) => others.map((other) => [other, first as string] as const)),
)

/** The first word of the group of synonyms. */
export function canonicalOf(stem: string): string {
  return canonical.get(stem) ?? stem
}

/** Verbs: one of two claims may leave them out. */
export const actions: ReadonlySet<string> = new Set(
  lines.filter(({ isAction }) => isAction).map(({ stems }) => stems[0] as string),
)

/**
 * Generic words that do not change the subject: “costs”, “is paid”, “the fee is”. Two claims may use different ones. Words
 * with an opposite (begin and end, send and receive) are not in the list.
 */
export const genericWords: ReadonlySet<string> = new Set(
  `price cost fee tariff charge expense amount value size length duration period window term level budget sum total quota
  capacity limit maximum minimum largest longest smallest highest lowest most least upper lower ceiling threshold rate
  time long date day due deadline place room space way case thing purpose basis people person someone country following
  agree commit guarantee promise contract contractual according plan policy rule arrangement setting setup
  configure define specify state put call name know consist count reach order handle done carry load weigh
  belong stay remain exist live reside locate include provide allow happen occur follow enjoy expect enough entitle
  full available valid mandatory binding official formal current usual general possible right approximate
  vertrag zugesagt schulden droit ouvert ouverte derecho zahlen haben besteht dispose permis permise möglich erlaubt
  autorisé permitido onsite mean disposal`
    .split(/\s+/)
    .map((word) => canonicalOf(stemOf(word))),
)

/** Stop words: forms of “be” and “have”, pronouns, articles and the like. They are ignored. */
export const stopWords: ReadonlySet<string> = new Set(
  [
    'is are be being am has have having do does did get gets got set sets',
    'amount amounts equal equals stand stands lies make makes made gives given',
    'we us our ours company company-wide everyone everybody total totally exactly precisely always every each all any both whoever',
    'must shall should can will need needs may a an the of to for in on at by with from and or as that this these those it its they their there here',
    'apply applies applied actually via onto alone laut per among simply just also value number count altogether',
    'please note currently per whatever whole entire full mr mrs ms dr prof herr frau',
    'der die das den dem des ein eine einen einem einer und oder ist sind hat haben wir uns unser unsere bei mit von zu zur zum im am in auf für beträgt werden wird',
    'le la les un une des du de et ou est sont a ont nous notre nos dans sur pour par avec au aux',
    'el la los las un una unos de del y o es son tiene tienen nuestro nuestra nuestros en con por para al se está están',
    'pendant n l d s j c qu elles ils elle il puis ça ya ont',
  ]
    .join(' ')
    .split(' ')
    .flatMap((word) => [word, stemOf(word)]),
)
