/** Word lists of the rules that compare two records: words that say little, words of one meaning, and opposites. */
import { analyze } from '../../text/analyzer.ts'
import { stopWords } from '../../text/stop-words.ts'

const irregular: ReadonlyMap<string, string> = new Map(
  `kept keep|paid pay|built build|sent send|told tell|taught teach|bought buy|sold sell|held hold|led lead|written write|wrote write|met meet
ran run|chosen choose|chose choose|drawn draw|driven drive|shown show|worn wear|begun begin|began begin|fed feed|spent spend
gone go|went go|came come|found find|left leave|seen see|spoken speak|given give|gave give|taken take|took take|made make|done do|queued queue|queues queue|queuing queue`
    .split(/[|\n]/)
    .map((pair) => pair.split(' ') as [string, string]),
)

/** Expects lower case. */
export function stemOf(word: string): string {
  if (/[\d_./@#]/.test(word)) return word
  const plain = irregular.get(word) ?? word
  return analyze(plain)[0] ?? plain
}

/** Each line is a group of words of one meaning; the first one stands for all. */
const groups: ReadonlyMap<string, string> = new Map(
  `keep hold store retain save retention hold stay live lie sit locate host
delete remove purge erase wipe destroy discard drop
end expire terminate finish close lapse
start begin open commence kick
answer respond reply response
approve sign authorise authorize confirm signoff
pay payment cost charge price fee bill
ship send deliver dispatch
lead head run chair manage direct
own owner maintain
limit cap maximum max most restrict
allow permit may can let able
require mandatory must need demand requirement
customer client
person people
employee staff colleague personnel
database db
application app
repository repo
environment env
postgres postgresql
request call
java jdk jre openjdk
node nodejs node.js
kubernetes k8s
document documentation docs
production prod
team squad crew group
picture photo image
car vehicle
use employ
licence license
agreement contract
parcel package
get receive
batch chunk
automatic automatically
encryption encrypt
copy backup
fiscal financial
give grant
refund reimburse
restart reboot
cancel undo`
    .split('\n')
    .flatMap((line) => {
      const [first, ...others] = line.split(' ').map(stemOf) as [string, ...string[]]
      return others.map((other) => [other, first] as const)
    }),
)

export const meaningOf = (stem: string): string => groups.get(stem) ?? stem

const stemsOf = (words: string): ReadonlySet<string> =>
  new Set(words.split(/\s+/).flatMap((word) => [word, stemOf(word), meaningOf(stemOf(word))]))

/** Words that say nothing of the subject, besides the stop words of search. */
const empty = stemsOf(
  `must shall should may might can will would need one ones every each all any everyone everybody anyone whoever whole entire total
  always exactly precisely just also please note per via onto within without upon apply applies get gets got have has do does amount equal
  value number count current currently now new there here this that these those its our us we you they say says said tell told`,
)

/** Words that many subjects have in common: they tell little, and the other text may leave them out. */
const light = stemsOf(
  `keep delete end start answer approve pay ship lead own limit allow require use get give take make put bring come go stand work run hold
  provide offer include contain consist support serve handle process happen place time day date week month year hour minute second period
  duration length size width deadline window level rate fee cost price budget capacity maximum minimum quota threshold rule policy
  plan setting default standard people person man someone member part way case thing kind sort list name full available valid possible
  general normal usual exist remain belong accept set up down out off over back long large big high low great first last next same other
  different only own few many several more less least enough already still yet ever never again once twice then before after until since
  directly itself themselves himself company firm country anyone nobody nothing system point agree promise commit commitment state
  choose pick select adopt prefer decide define specify change write read see look find ask know think want plan try leave move turn reach carry weigh lie sit stay live
  locate base situate arrive register fill enter measure room space follow accord binding official`,
)

/** Expects lower case. */
export function isEmpty(lower: string): boolean {
  const stem = stemOf(lower)
  return (
    stopWords.has(lower) || stopWords.has(stem) || empty.has(lower) || empty.has(stem) || empty.has(meaningOf(stem))
  )
}
export const isLight = (meaning: string) => light.has(meaning)

/** By word: what it states, where one word can deny it (one-form.ts): “optional” denies “required”. */
export const states: ReadonlyMap<string, string> = new Map(
  `allowed allow allows|enabled enable enables|included include includes|encrypted encrypt encryption|required require requires
automatic automatically|synchronous|optin|indoors indoor|possible|mutable|available|supported|limited|signed|paid|locked|insured|certified`
    .split(/[|\n]/)
    .flatMap((words) => words.split(' ').map((word, _, [first]) => [word, first as string] as const)),
)

/** Pairs of words that exclude each other: one side `+`, the other `-`. */
export const opposites: ReadonlyMap<string, { of: string; sign: 1 | -1 }> = new Map(
  `open | close
permanent | temporary fixed-term
push | pull
online | offline
optimistic optimistically | pessimistic pessimistically
oldest old | newest recent
advance | arrears
leave | stay remain
certify | uncertified
accept tolerate | fail refuse reject
shared share pool | own separate
public | internal private confidential
free | bear
live go | stop`
    .split('\n')
    .flatMap((line, at) =>
      line
        .split(' | ')
        .flatMap((side, nth) =>
          side.split(' ').map((word) => [stemOf(word), { of: String(at), sign: nth === 0 ? 1 : -1 }] as const),
        ),
    ),
)
