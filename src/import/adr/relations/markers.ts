/** The words that say that a record supersedes or amends another one, or is superseded or amended by it. */
import { fieldWords } from '../document/dictionary.ts'
import { partOfRecord } from './part.ts'

export type RelationKind = 'supersedes' | 'superseded_by' | 'amends' | 'amended_by'

/** Plain verbs: they tell of a record only if their object is a named part of it, as in `We change the queue rule of ADR 3`. */
const ofPartOnly = [
  ...[
    'changes',
    'alters',
    'adapts',
    'rewrites',
    'we amend',
    'we change',
    'we update',
    'we alter',
    'we adapt',
    'we extend',
  ],
  ...['we revise', 'we refine', 'we modify', 'we correct', 'we narrow', 'we replace', 'we rewrite'],
]
const kindsOfRelation = ['superseded_by', 'amended_by', 'supersedes', 'amends'] as const
const more: Record<RelationKind, string> = {
  superseded_by:
    'deprecated in favor of|deprecated in favour of|in favor of|in favour of|supplanted by|overruled by|reverted by|made obsolete by|zugunsten von',
  amended_by: '',
  supersedes: 'supersede|reverts|deprecates|supplants|overrules|makes obsolete|we supersede|we hereby supersede',
  amends: `amending|precise|${ofPartOnly.join('|')}`,
}
/** The longest first, so that `ersetzt durch` is found before `ersetzt`. */
const markers = kindsOfRelation
  .flatMap((kind) => `${fieldWords[kind]}|${more[kind]}`.split('|').map((word) => [markerOf(word), kind] as const))
  .filter(([word]) => word !== '')
  .sort(([a], [b]) => b.length - a.length)
const kinds = new Map(markers.map(([word, kind]) => [word, kind]))
/** `on 2023-07-08`, `in July 2023`, `am 8. Juli 2023`. */
const day =
  '(?:(?:on|in|since|as of|am|seit|le|el|em|il)\\s+)?\\(?(?:\\d[\\d./-]{3,9}|(?:\\d{1,2}(?:st|nd|rd|th)?\\.?\\s(?:de\\s)?)?\\p{L}{3,10}\\s(?:\\d{1,2}(?:st|nd|rd|th)?,?\\s|de\\s)?\\d{4})\\)?,?'
/** May be between the words of a marker: `superseded in part by`, `extended to queues by`, `extended fleet-wide by`. */
const scope = `(?<=[\\s_-])(?:${day}|(?<=(?:etendue?|extended)\\s+)(?:a|aux?|to)(?:\\s+[^\\s.;,:]+){1,3}|in parts?|in full|[a-z]+ly|[a-z]+-wide|teilweise|partiellement|en partie|em parte|in parte|parcialmente|parzialmente|gedeeltelijk)[\\s_-]+`
/** The French verb with its object, but not the English adjective: `Précise le contrat de [ADR 13]`. */
const preciseWhat = "(?=\\s+(?:l[ae]s?\\s[^.;()]{1,80}?\\sd[eu]s?\\s+)?(?:l['’])?(?:\\[|\uE000|adr))"
export const markerPattern = new RegExp(
  `(?<!\\p{Script=Latin}|\\p{Script=Cyrillic})(?:${markers.map(([word]) => patternOf(word)).join('|')})(?!\\p{Script=Latin}|\\p{Script=Cyrillic})`,
  'gu',
)
export const anyMarker = new RegExp(markerPattern.source, 'u')

function patternOf(word: string): string {
  const pattern = word
    .replace(/[.*+?()|[\]\\]/g, '\\$&')
    .replace(/ por$/, ' (?:por|pel[oa]s?)')
    .replace(/ da$/, ' da(?:i|gli|l|ll[ae])?')
    .replace(/ /g, `[\\s_-]+(?:${scope})?`)
  if (ofPartOnly.includes(word)) return `${pattern}(?=${partOfRecord})`
  // it may come back to it
  if (word === 'reverts') return `${pattern}(?!\\s+to(?!\\p{L}))`
  return word === 'precise' ? `(?<!(?:an?|be|is|more|not|the|very)\\s)${pattern}${preciseWhat}` : pattern
}

/** undefined: it is no marker. */
export function kindOfMarker(found: string): RelationKind | undefined {
  return kinds.get(markerOf(found)) ?? kinds.get(markerOf(found.replace(new RegExp(scope, 'iu'), '')))
}

export function markerOf(word: string): string {
  return (
    fold(word)
      .replace(/[\s_-]+/g, ' ')
      .trim()
      // with an article: `substituído pelo ADR 3`, `sostituito dalla ADR 3`
      .replace(/ pel[oa]s?$/, ' por')
      .replace(/ da(?:i|gli|l|ll[ae])$/, ' da')
  )
}

/** Lower case, without the accents of Latin letters. Every letter keeps its offset. */
export function fold(text: string): string {
  return text.toLowerCase().length === text.length
    ? text.toLowerCase().replace(/[\u00c0-\u024f]/g, (letter) => letter.normalize('NFD').charAt(0))
    : text
}
