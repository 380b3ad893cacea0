/** Rewrites number words as digits, because one claim may say “twelve” and the other “12”. */

const small = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'
const teens = 'sixteen seventeen eighteen nineteen'
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'

const ones = new Map<string, number>([
  ...`${small} ${teens}`.split(' ').map((word, at) => [word, at] as const),
  ['dozen', 12],
])
const decades = new Map(tens.split(' ').map((word, at) => [word, 20 + 10 * at] as const))
const scales = new Map([
  ['hundred', 100],
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
])

const unit = [...ones.keys()].sort((a, b) => b.length - a.length).join('|')
const decade = [...decades.keys()].join('|')
const spelled = new RegExp(
  `(?<![\\p{L}\\p{N}_.-])(?:(?<decade>${decade})(?:[ -](?<after>one|two|three|four|five|six|seven|eight|nine))?|(?<unit>${unit})|an?(?= (?:hundred|thousand|million|billion)\\b))(?: (?<scale>${[...scales.keys()].join('|')}))?(?![\\p{L}\\p{N}_]|-[\\p{L}\\p{N}]+-)`,
  'giu',
)
/** “One” as a pronoun: “no one”, “one of them”, “the one”. */
const pronoun =
  /(?:\b(?:no|any|every|some|this|that|the|which|only|each|by|as|at) one|\bone (?:another|each|of|by|at|who|that|or|must|may|can|has|is|time)\b|\bone\b(?=[.,;:!?]|$))/giu

export function inFigures(text: string): string {
  const kept = text
    .replace(/\bhalf a dozen\b/gi, 'six')
    .replace(pronoun, (found) => found.replace(/\bone\b/i, 'anyone'))
  const figures = kept.replace(spelled, (_, ...more) => {
    const groups = more.at(-1) as { [name: string]: string | undefined }
    const of = (name: string) => groups[name]?.toLowerCase()
    const base = of('decade')
      ? (decades.get(of('decade') as string) as number) + (ones.get(of('after') ?? 'zero') as number)
      : of('unit')
        ? (ones.get(of('unit') as string) as number)
        : 1
    return `${base * (scales.get(of('scale') ?? '') ?? 1)}${spelledMark}`
  })
  return figures.replace(parts, sumOf).replaceAll(spelledMark, '')
}

/** Stands after each number that was written in words. A character for private use. */
const spelledMark = '\ue000'
const parts = new RegExp(`\\d+${spelledMark}(?: (?:and )?\\d+${spelledMark})+`, 'g')

/** Adds up the parts of one number, such as “one thousand four hundred and forty”. “Two three” stay two numbers. */
function sumOf(found: string): string {
  const numbers = (found.match(/\d+/g) ?? []).map(Number)
  const isOne = numbers.every(
    (number, at) =>
      at === 0 || ((numbers[at - 1] as number) >= 100 && number < (numbers[at - 1] as number) && number < 1000),
  )
  return isOne ? String(numbers.reduce((sum, number) => sum + number, 0)) : found
}
