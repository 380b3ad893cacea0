/** Reads from a text whether a decision worked out. Reads too little rather than too much: a wrong failure asks people. */
import type { OutcomeStatus } from '../../records/body.ts'

/** Phrases at the beginning of a text, in lower case. */
const phrases: Record<OutcomeStatus, string> = {
  mixed: `mixed|mixed results?|mixed outcomes?|mixed success|a mixed bag|(?:a )?partial (?:success|failure)|
    (?:partially|partly) (?:successful|worked|succeeded|failed)|(?:worked|succeeded|failed) (?:partially|partly|in part)|
    gemischt|teilweise erfolgreich|teilerfolg|mitigé|succès partiel|mixto|éxito parcial|misto|sucesso parcial|
    successo parziale|gemengd|частичный успех|部分成功|部分的に成功|부분 성공`,
  failure: `failed|failure|a failure|unsuccessful|not successful|not a success|did not work|did not work out|didn't work|didn't work out|
    gescheitert|fehlgeschlagen|misserfolg|hat nicht funktioniert|échec|échoué|n'a pas fonctionné|fracaso|fallido|
    fracasó|no funcionó|fracasso|fracassou|não funcionou|fallimento|fallito|mislukt|porażka|провал|неудача|失败|失敗|실패`,
  success: `success|a success|successful|succeeded|worked|worked out|worked (?:very )?well|worked fine|worked out (?:very )?well|
    worked as (?:planned|expected|intended|hoped)|erfolg|erfolgreich|hat funktioniert|succès|réussi|réussite|
    a fonctionné|éxito|exitoso|funcionó|sucesso|funcionou|successo|riuscito|succes|geslaagd|sukces|успех|成功|성공`,
}

const subject =
  '(?:(?:it|this|that|(?:the|this|our) (?:decision|change|approach|pilot|experiment|migration)) )?(?:has |had )?(?:was |been )?'
/** After the phrase the sentence ends, pauses, or says when or why. `Failed builds are retried` is no outcome. */
const after = String.raw`(?=\s*(?:$|[.!,;:(。、，；：（！…–—]|\s-\s)|\s+(?:because|due to|after|within|when|since|under|in production|in practice)\b)`

const patterns = (Object.entries(phrases) as [OutcomeStatus, string][]).map(([status, list]) => {
  return { status, pattern: new RegExp(`^${subject}(?:${list.replace(/\|\s+/g, '|')})${after}`, 'u') }
})

/** In the same sentence these turn or limit what its beginning says. */
const turns =
  /(?<!\p{L})(?:but|however|although|though|except|despite|at first|initially|until|or|if|aber|jedoch|oder|mais|pero|mas|maar|ale|но)(?!\p{L})|但|しかし|하지만|\?/u

/** Characters of a text that are looked at. */
const mostRead = 500

/**
 * The status that the first sentence of a plain text begins with. undefined: it begins with none, or goes on to say
 * otherwise, as in `It worked, but only for a week`.
 */
export function statusOfText(text: string): OutcomeStatus | undefined {
  const start = text
    .slice(0, mostRead)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/^[^\p{L}\p{N}]+/u, '')
  const [sentence = ''] = start.split(/(?<=[.!?。！？])|\n/u, 1)
  const found = patterns.find(({ pattern }) => pattern.test(sentence))
  if (found === undefined || found.status === 'mixed') return found?.status
  // `Successful, failed and stopped builds are kept` is about something else
  const rest = sentence.replace(found.pattern, '')
  return turns.test(rest) || otherStatus.test(rest) ? undefined : found.status
}

const otherStatus = /fail|succe|mixed|partial|(?:didn't|did not) work/

/** A text that is the word alone, such as `Failed` or `✅ Success.`: as notes it would say nothing. */
export function isOnlyStatus(text: string): boolean {
  return statusOfText(text) !== undefined && (text.match(/\p{L}+/gu)?.length ?? 0) === 1
}
