/** Finds which of the options was chosen. */
import { optionPrefix, wordKey } from '../document/dictionary.ts'
import { plainText } from '../document/markdown.ts'
import { statusAtStart } from '../metadata/status.ts'
import { begins, isMarked, likeness, type Option, optionKey, tickedAmong } from './names.ts'

/** Where a record may name the chosen option. */
export interface Told {
  decision: string
  title: string
  /** As written. */
  status: string
  isRejected: boolean
}

/** The best evidence first: a mark, the decision, the status, a tick, the title. */
export function chosenAmong(options: readonly Option[], { decision, title, status, isRejected }: Told): Option[] {
  const marked = options.filter(isMarked)
  if (marked.length > 0) return marked
  const named = namedIn(options, decision)
  if (named.length > 0) return named
  const behind = namedBehindVerb(options, decision)
  if (behind.length > 0 || options.length < 2) return behind
  const other = [namedInStatus(options, status), tickedAmong(options), wordsAreIn(options, decision)]
  const found = other.find((some) => some.length === 1)
  return found ?? (isRejected ? [] : namedInTitle(options, title))
}

/** The options that the decision names first: `Chosen option: "B", because …`. Also finds one with a similar name. */
function namedIn(options: readonly Option[], decision: string): Option[] {
  const head = decision
    .slice(0, 2000)
    .split(/\n\s*\n/)
    .slice(0, 2)
    .join('\n')
  const stated = chosenPattern
    .exec(head)
    ?.slice(1)
    .find((part) => part !== undefined)
  const said = optionKey(plainText(stated ?? head.replace(/^[^\p{L}]*\p{L}+(?:\s\p{L}+){0,2}\s*[:：][*_\s]*/u, '')))
  const starting = options.filter((option) => begins(said, optionKey(option.title)))
  if (starting.length > 0) {
    const longest = Math.max(...starting.map((option) => optionKey(option.title).length))
    return starting.filter((option) => optionKey(option.title).length === longest)
  }
  if (stated === undefined) return []
  const number = /(\d{1,2})/.exec(optionPrefix.exec(wordKey(plainText(stated)))?.[0] ?? '')?.[1]
  const numbered = options.filter(({ title }) => number !== undefined && optionPrefix.exec(title)?.[0].includes(number))
  if (numbered.length === 1) return numbered
  // the title in the list may be the chosen name with an explanation: `0.0.0, which is no release`
  const explained = options.filter((option) => begins(optionKey(option.title), said))
  if (explained.length === 1) return explained
  const near = options.filter((option) => likeness(said, optionKey(option.title)) >= 0.65)
  return near.length === 1 ? near : []
}

const chosenPattern =
  /(?:chosen|selected|preferred|gew[äa]hlt\p{L}*|choisie?|elegida|escolhida|scelta|gekozen|wybran\p{L}*|выбран\p{L}*|选择\p{L}*|採用\p{L}*|選択\p{L}*|선택\p{L}*)[^:："“\n]{0,40}?\s*[:：]?\s*(?:[*_]{2}(.+?)[*_]{2}|["“「『](.+?)["”」』]|[:：]\s*`([^`\n]+)`|[:：]\s*(.+?)(?:[.。;,、\n]|\sbecause\b|$))/isu

/** `Accepted (option 2)`, `Accepted Simple Filters approach`. */
export function namedInStatus(options: readonly Option[], status: string): Option[] {
  const known = statusAtStart(status)
  if (known?.word !== 'accepted') return []
  const rest = wordKey(known.rest)
  const number = /^(?:option|alternative|variant|approach|proposal|solution)\s*(\d{1,2})\b/.exec(rest)?.[1]
  const numbered = options.filter((option) => number !== undefined && option.number === Number(number))
  return numbered.length > 0 ? numbered : longestAt(options, rest)
}

const verb =
  '(?:decided|chose|chosen|choose|opted|agreed|settled|will use|will go|will adopt|(?<=^|^we |^the team )(?:use|adopt|go|pick|select|introduce|keep|stay|proceed|stick|continue|migrate|move|switch))'
const decided = new RegExp(`(?<!\\p{L})${verb}(?!\\p{L})`, 'giu')
const refused =
  /(?:\bnot|n['’]t|\bnever|\bif|\bhad|\bwould have|\bcould have|\bonce|\bpreviously|\bearlier)(?:\s+(?:we|they|the team|have|had|been|yet))*\s*$/i
/** Words between the verb and the name. */
const between =
  /^(?:to|go|going|proceed|move|forward|ahead|continue|stay|stick|settle|migrate|switch|with|for|on|upon|in favou?r of|use|using|adopt|implement|introduce|choose|pick|select|keep|build|create|start|the|an?|our|option|approach)\s+/

/** `We decided to proceed with the rope`, `Use a rope to cross the river`. */
function namedBehindVerb(options: readonly Option[], decision: string): Option[] {
  const first = decision.split(/\n\s*\n/).find((paragraph) => !/^\s*#/.test(paragraph)) ?? ''
  const text = plainText(first.slice(0, 1000))
  for (const match of text.matchAll(decided)) {
    if (refused.test(text.slice(0, match.index))) continue
    const found = longestAt(options, text.slice(match.index + match[0].length).split(/[.;]\s/, 1)[0] ?? '')
    if (found.length > 0) return found
  }
  return []
}

/** `Use one rope` as the title, or `One rope for the ferry`, but not `Rope or chain`. */
function namedInTitle(options: readonly Option[], title: string): Option[] {
  if (/\b(?:vs|versus|or|oder|ou|o|between|comparison|compare|evaluat\p{L}*|choos\p{L}*)\b|[?？]/iu.test(title))
    return []
  const found = longestAt(options, title)
  const rest = found[0] === undefined ? '' : bare(optionKey(title)).slice(bare(optionKey(found[0].title)).length)
  return /^(?: (?:for|as|to|in|on|with|at|instead|over|rather|by|from|since|because)\b|$)/.test(rest) ? found : []
}

/** Without the words in front of a name. */
function bare(key: string): string {
  let text = key
  for (let at = 0; at < 6 && between.test(text); at++) text = text.replace(between, '')
  return text
}

/** The option whose name begins the text, with or without verbs in front; of several, the one with the longest name. */
function longestAt(options: readonly Option[], text: string): Option[] {
  const said = bare(optionKey(text))
  const starting = options.filter((option) => begins(said, bare(optionKey(option.title))))
  const lengths = starting.map((option) => optionKey(option.title).length)
  const longest = starting.filter((_, at) => lengths[at] === Math.max(...lengths))
  return longest.length === 1 ? longest : []
}

const negation = /\b(?:not|no|never|without|instead|rather|avoid|reject\p{L}*|drop|remove|stop|than)\b|n['’]t\b/iu
const little = /^(?:a|an|the|and|or|of|for|in|on|to|with|by|as|use|using|we|our)$/

/** The only option of which the decision has all words, if it has at least two and the decision denies nothing. */
function wordsAreIn(options: readonly Option[], decision: string): Option[] {
  const text = plainText(
    decision
      .split(/\n\s*\n/)
      .slice(0, 2)
      .join('\n')
      .slice(0, 2000),
  )
  if (negation.test(text)) return []
  const said = new Set(optionKey(text).split(' '))
  const within = options.filter(({ title }) => {
    const words = optionKey(title)
      .split(' ')
      .filter((word) => !little.test(word))
    return words.length > 1 && words.every((word) => said.has(word))
  })
  return within.length === 1 ? within : []
}
