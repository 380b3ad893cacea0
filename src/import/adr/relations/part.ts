/** Tells whether a sentence is about a part of a record only, such as `the queue rule of ADR 7`. Then it is amended. */

import { ownSubject, partialWords } from '../document/dictionary.ts'
import { statusAtStart } from '../metadata/status.ts'
import { unchanged } from './sentences.ts'

/** Nouns for a part of a record. */
const part =
  '(?:sub-?)?sections?|parts?|hal(?:f|ves)|portions?|selections?|sentences?|paragraphs?|clauses?|chapters?|points?|items?|aspects?|rules?|statements?|requirements?|decisions? \\d+|articles?|wording|assumptions?|punkt(?:en?|s)?|abschnitt(?:en?|s)?|ziffern?|nummern?|kapiteln?|absatze[ns]?|absätzen?|regeln?|teile?n?|(?:teil|ab|halb)?satz|(?:teil|ab|halb)?satze|regles?|article|regola|regole|puntos?|punti|sezion[ei]|partes?|reglas?|partie|apartados?|secci[oó]n(?:es)?|secao|seção|secoes|seções|pontos?|regras?'
/** The object of a verb: `the retry section of ADR 9`, `section 3 of [ADR 9]`. */
export const partOfRecord = `\\s+(?!(?:by|for|from|in|of|to)\\s)(?:the\\s+)?(?:[^.;()\\uE000[]{1,60}\\s)?(?:${part})(?!\\p{L})[^.;()\\uE000[]{0,60}?\\s(?:of|in|from)\\s+(?:the\\s+)?(?:\\uE000|\\[|[ml]?adrs?[\\s#-]*\\d)`
/** What limits the record that was named before: `ADR-7 with respect to retries`, `ADR-7, except the queue`. */
const limits =
  '(?:regarding|concerning|with (?:regard|respect) to|in (?:regard|respect) (?:to|of)|as (?:to|regards|far as)|except(?:ing)?|apart from|in so far as|insofar as|so far as|where (?:it|they|the)|on the (?:point|matter|question) of|soweit|bezuglich|bezüglich|hinsichtlich|außer|ausser|sauf|concernant|excepto|salvo)(?!\\p{L})'
const article = "(?:(?:the|das|den|die|les?|las?|los|el|as|os|[ao])\\s+|l['’])"
/** Such words behind `for` tell why or when, not for what. */
const purpose = `(?:${[
  'v?\\d',
  '(?:now|good|ever|example|instance|lack|want|fear|these|this|that|those|which|all|every\\p{L}*|each|any|both)(?!\\p{L})',
  '(?:better|easier|faster|more|less|improved?|greater|an?|being|having|us|its?|their|speed|costs?)(?!\\p{L})',
  '(?:eine?n?|une?|uma?)(?!\\p{L})',
  "(?:[\\p{L}’'-]+\\s+){0,3}(?:reasons?|raisons?|gr[uü]nden?|razones|raz[oõ]es|motivos?|sake|purposes?)(?!\\p{L})",
  '(?:[\\p{L}-]+\\s+){0,3}(?:details?|background|information|context|rationale|reference)(?!\\p{L})',
  '(?:[\\p{L}-]+\\s+){0,3}(?:moment|present|time|years?|months?|weeks?|days?)(?!\\p{L})',
  '(?:[\\p{L}-]+\\s+){0,2}[\\p{L}-]+(?:ity|ness|ance|ence|ancy|ency)(?!\\p{L})',
].join('|')})`
/** `for new services`. Without an article, `pour simplifier` tells why. */
const forSome = `(?:(?:for|fur|für)\\s+${article}?|(?:pour|para)\\s+${article})(?!${purpose})(?=\\p{L})`
const subject = '(?:this|the present|dies|cette|est[ae])'
/** `For new services this`, `For new services, [ADR 3] is`. */
const startsWithScope = new RegExp(
  `^[^\\p{L}]*${forSome}[\\p{L}\\d'’-]+(?:\\s+[\\p{L}\\d'’-]+){0,4}(?:,\\s*|\\s+(?=${subject}))(?:${subject}\\p{L}*(?:\\s+\\p{L}+){0,2}|(?:\\uE000\\d+\\uE001|[ml]?adr[\\s#-]*\\d{1,5})\\s+(?:is|are|was|were|has been))?\\s*$`,
  'u',
)
/** `before`: the sentence before the verb, in lower case and without accents. */
export const beginsForSome = (before: string) => startsWithScope.test(before)
const directlyForSome = new RegExp(`^\\s*[(（]?\\s*${forSome}`, 'iu')
/** `behind`: the text that follows a reference, as in `ADR-7 (for the API)`. */
export const isForSome = (behind: string) => directlyForSome.test(behind)
/** The text of a link names a part of the record: `[ADR 9, section "Retry"]`. */
export const namesPartInLink = new RegExp(
  `^\\D{0,12}\\d+\\s*(?:,?\\s*§|[,(]\\s*(?:the\\s+)?(?:${part})(?!\\p{L})\\s*(?:[§#]?\\d|["“„«]))`,
  'iu',
)

/** `ADR-7 in points 2 and 3`, `ADR-7 (section 3)`, `ADR-7 in den Punkten 2 und 3`. */
const inPart = [
  `^[\\s,(（—–-]*(?:only |nur )?(?:in|within|aux?|dans|en|em|n[ao]s?|nell[ae]|nei|nel)\\s+(?:(?:the|its|their|den|dem|der|seinen|deren|les?|la|los|las|el)\\s+|l['’])?(?:${part})(?!\\p{L})`,
  `^\\s*[(（]\\s*(?:only |nur )?(?:the |den |dem )?(?!decisions? )(?:${part})(?!\\p{L})\\s*(?:[§#]?\\d|["“„«]|\\p{L}(?=[),\\s]))`,
].join('|')
/** Directly after a reference: `ADR-7's queue`, `ADR-7 §4`, `ADR-7 only for …`, `ADR-7 clauses`, `ADR-7 中的两条`. */
const after = new RegExp(
  `^['’]s\\b|${inPart}|^[\\s,(—–-]*${limits}|^\\s*,\\s*(?:decisions? \\d|(?:${part})(?!\\p{L})\\s*(?:[§#]?\\d|["“„«]))|^\\s*(?:§|[(（,—–-]*\\s*(?:§|only\\b|nur\\b|seulement\\b|solo\\b|somente\\b)|(?:${part})(?!\\p{L}))|^\\s*[(（][^)）]{0,120}\\bonly\\b|^\\s*[(（]?\\s*${forSome}|^#\\p{L}|のみ|^(?![^.;]*\\b(?:is|are)\\b)[^.;]{0,100}\\bonly\\b[\\s.]*$|^[^，。；、,;.]{0,12}(?:中的|其中)|^\\s*中(?!所有|全部)|^[^，。；、：,;.:()（）\\uE000并並且以而全所]{0,40}?(?:条款|條款|表述)|^\\s*的(?!\\s*(?:决定|決定|决策|決策|方案|全部))`,
  'iu',
)
/** Before a reference: `the retry subsection of ADR 9`, and in a list `…; and of ADR 10`. */
const before = new RegExp(
  `(?<!\\p{L})(?:${part})(?!\\p{L})[^.;]{0,60}(?<!\\p{L})(?:of|in|from|aus|von|des?|du|di|do|da|dell[ao']?)\\s+(?:the\\s+|l')?$|[;；]\\s*(?:(?:and|und|et|y|e)\\s+)?(?:of|von|de|du)\\s+$`,
  'iu',
)
/** The end of the text before a reference: `… and the retry model of ADR 9`, `… et le modèle « file » de l'ADR 9`. */
const andPart =
  /(?<!\p{L})(?:and|und|et)\s+(?:the|le|la|les|das|die|den)\s+(?!(?:decisions?|adrs?|records?|choices?|rest|reste|entscheidung)(?!\p{L}))(?:(?!(?:and|or|on|on top|to|by|with|that|which|is|are|not|qui|est|sur|par|auf|ist)\s)[^\s.;,]+\s+){1,8}?(?:of|from|in|de|du|des|aus|von)\s+(?:the\s+|l['’]|der\s+)?$/iu
/** Quoted words that name a part of a record: `the “one store” rule of ADR 9` and `“one store” of ADR 9`. */
const quotedPart = /[”"»」]\s+(?:of|in|from|de|du|des|aus|von)\s+(?:the\s+|l['’])?$/iu
/** `the format ADR 9 documented` is a part of it. */
const thing = /(?<!\p{L})(?:the|its)\s+(?:(?!(?:adr|by|decision|in|of|record|with)\s)[\p{L}-]+\s+){1,4}$/iu
const describes = /^\s+(?:had |has )?(?:defined|described|documented|established|introduced|specified)\b/iu
const standsUnchanged = new RegExp(`^\\s*(?:\\([^()]*\\)\\s*)?${unchanged}`, 'iu')

/** `the "retry" section of ADR 9`, `the "retry" decision in ADR 9`: the quoted words name a part, not a record. */
export const partName =
  /^\s+(?:(?:sub-?)?(?:sections?|parts?|half|paragraphs?|clauses?|chapters?|rules?)\b|(?:decisions?|choices?|selections?)\s+(?:of|in|from)\b|(?:of|in|from|de|du|des|aus|von)\s+(?:l['’])?(?:\uE000|[ml]?adrs?(?!\p{L})))/iu
const anyPart = new RegExp(`(?<!\\p{L})(?:${part})(?!\\p{L})|§|[条條節节款项項]`, 'iu')
const verb =
  /^(.*\S)\s+(?:is|are|was|were|(?:has|have) been|ist|sind|wird|werden|wurden?|est|sont|(?:a|ont) ete|es|son|(?:ha|han) sido|fue(?:ron)?|foi|foram|e|sono|(?:e|sono) stat[aeio])\s*$/su
const wholeRecord =
  /^(?:it|but|and|now|later|since|(?:(?:the|a|o|la|le|l|el|il|die|der|das) )?(?:adr|decis(?:ion|ao|ione)|entscheidung|record|documento?|status|rfc|proposal))\b/

const joins =
  /^(?:[\s,;&/+·、，.:-]|(?:and|or|und|et|y|e|en|og|och|и|as well as|sowie|ainsi que|then|later|puis|ensuite|dann|danach|spater|später|also|plus|by|durch|par|por|da|door|the|l'|adrs?)(?!\p{L})|整份|全部|以及|[和与與及と]|および|및)*$/iu

/** The end of a text before the next reference of a list: `ADR 7's queue, and the store of ADR 8`. */
const endsInJoin =
  /(?:[,;&/+·、，；:：–—([（]|(?<!\p{L})(?:and|or|und|et|y|e|en|og|och|и|sowie|plus|then|also|by|of|in|from|von|aus|de|du|des|durch|par|por))\s*(?:(?:the|der|die|das|den|also)\s+|l['’]\s*|adrs?\s*)*$/iu
/** `ADR 7's text, the same asymmetry ADR 8 established`: the second reference is only compared. */
const compares =
  /(?<!\p{L})(?:the same|just as|as in|as with|similar(?:ly)?|like|unlike|compared? (?:to|with)|analogous(?:ly)?|cf|wie (?:in|bei)|analog zu|ähnlich|comme|tel(?:le)? que)(?!\p{L})/iu

/**
 * Whether a list goes on with these words between two references. `explained`: each may have an explanation behind a
 * colon or a dash, or in front of a semicolon. `tail`: the text behind the second reference.
 */
export function continuesList(between: string, tail: string, explained: boolean): boolean {
  const bare = between
    .replace(/[(（][^()（）]*[)）]|§\S+/gu, ' ')
    .replace(partialWords, ' ')
    .replace(wholeWords, ' ')
  if (compares.test(between)) return false
  if (joins.test(bare) || before.test(between) || (after.test(between) && endsInJoin.test(between))) return true
  if (andPart.test(between) && /^[\s,]*(?:and|und|et)\s/iu.test(between)) return !standsUnchanged.test(tail)
  return explained && /^\s*[:：—–-]|[;；]/u.test(bare)
}

/** `ADR 3 fully and ADR 4 partly`. */
const wholeWords =
  /(?<!\p{L})(?:fully|entirely|completely|wholly|in full|as a whole|in (?:its|their) entirety|vollst[aä]ndig|ganz|komplett|enti[eè]rement|compl[eè]tement|por completo|totalmente|completamente|integralmente)(?!\p{L})/giu
/** Whether words such as `Partly` or `Fully` are all that a text says. */
export const tellsExtent = (text: string) => !/\p{L}/u.test(text.replace(wholeWords, ' ').replace(partialWords, ' '))
/** The end of a text before a reference: `, and in part, ADR 4`. Then the words are about the reference behind them. */
const andPartly = new RegExp(
  `(?:(?:,|&|(?<!\\p{L})(?:and|und|et|y|e))\\s*|(?<!\\p{L})(?:and|und|et|y|e)\\s*,\\s*)(?:${partialWords.source})\\s*,?\\s*(?:of\\s+)?(?:the\\s+)?$`,
  'iu',
)

/** For each reference of a list: whether only a part is meant, by the text before it and after it. */
export function partsOf(references: readonly { head: string; tail: string }[]): boolean[] {
  const own = references.map(
    ({ head, tail }) =>
      [before, andPart, andPartly, quotedPart].some((one) => one.test(head)) ||
      (thing.test(head) && describes.test(tail)) ||
      after.test(tail) ||
      partialWords.test(tail.replace(andPartly, ' ').toLowerCase()),
  )
  // in `ADR 1, ADR 2 and ADR 3 clauses`, the clauses of all three
  let isShared = after.test(references.at(-1)?.tail ?? '')
  for (let at = references.length - 2; at >= 0; at--) {
    const { tail } = references[at] as (typeof references)[number]
    isShared &&= /^\s*(?:,|and|&|,\s*and|und|et|y|e|[、和与與及と])\s*$/iu.test(tail)
    if (isShared) own[at] = true
    else isShared = after.test(tail)
  }
  return own
}

export const namesPart = (text: string) => anyPart.test(text)

/**
 * `supersedes the queue of ADR 3` and `the queue decision in ADR 3`, but not `supersedes the decision in ADR 3`.
 * `lead`: the text before the reference.
 */
export function isPartOfOther(lead: string): boolean {
  return (
    /^\s*(?!(?:the |an? )?(?:(?:earlier|entire|first|former|initial|old|original|previous|prior|whole) )?(?:adrs?|decisions?|records?|choices?)\b)\p{L}[^.;]{3,150}\s(?:in|of|from)\s+(?:the\s+)?$/u.test(
      lead,
    ) ||
    /^\s*(?:le|la|les)\s+(?!(?:decisions?|adrs?|choix d)(?!\p{L}))\p{L}[^.;]{3,150}\s(?:de|du|des)\s+(?:l['’])?$/u.test(
      lead,
    ) ||
    /^\s*(?:einen?|eine|das|den|die)\s+(?!(?:(?:alte|frühere|fruhere|ursprungliche|ganze)n? )?(?:entscheidung|adr)(?!\p{L}))\p{L}[^.;]{3,150}\s(?:aus|von|in)\s+(?:der\s+|dem\s+)?$/u.test(
      lead,
    )
  )
}

/** In a status such as `Accepted. The queue is superseded by …`, only the queue is. `start`: the text before the verb. */
export function isPartOfRecord(start: string): boolean {
  // `Queue choice superseded by …`
  const bare = /^\s*((?:\p{L}+['’\s-]+){2,6})$/u.exec(start)?.[1]?.trim() ?? ''
  if (namesPart(start) || isOfApart(start) || (!verb.test(start) && isOtherSubject(bare))) return true
  const words = (verb.exec(start)?.[1] ?? '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !statusAtStart(word))
  const subject = words.join(' ')
  return words.length > 1 && !ownSubject.test(subject) && !wholeRecord.test(subject)
}

/** In `Accepted (how tiles are drawn superseded by …)` and `Accepted — topology superseded by …`, only a part is superseded. */
export function isOfApart(start: string): boolean {
  const phrase = /[(（—–;,]\s*((?:\p{L}+['’\s-]+){1,6})$/u.exec(start)?.[1]?.trim() ?? ''
  return isOtherSubject(phrase)
}

function isOtherSubject(phrase: string): boolean {
  const words = phrase.split(/['’\s-]+/)
  return (
    phrase !== '' && !words.some((word) => statusAtStart(word)) && !notOfPart.test(phrase) && !ownSubject.test(phrase)
  )
}

/** Such a phrase says when or why, or it means the whole record. */
const notOfPart =
  /^(?:it|but|and|now|later|since|on|in|at|as|because|after|has|was|is|being|been|to be|then|today|soon|already|also|fully|recently|subsequently|therefore|thus|(?:the )?(?:adr|decision|record|document|status|rfc|proposal))(?!\p{L})/u
