/**
 * Stems one folded word. What it does depends on the word alone, never on the text around it: a word of a query must have
 * the same token as in a record.
 */
import { createRequire } from 'node:module'
import { stem } from './stem.ts'
import { stemArabic } from './stem-arabic.ts'

export function stemWord(word: string): string {
  const code = word.charCodeAt(0)
  if (code < 128) return stemLatin(word)
  if (/^[\u0400-\u04ff]+$/.test(word)) return stemmer('russian')(word)
  return /^[\u0620-\u06ff]+$/.test(word) ? stemArabic(word) : word
}

function stemLatin(written: string): string {
  if (!/^[a-z]+$/.test(written)) return written
  const word = written.length < shortestPlural ? written : written.replace(germanPlural, '')
  if (!isGerman.test(word)) return stem(word)
  const german = stemmer('german')(word)
  return isGerman.test(german) ? german : stem(word)
}

/** Plurals such as Bestellungen, Filialen, Dateien. No English word of this length ends so. */
const germanPlural = /(?<=ung|heit|keit|schaft|[ts]ion|enz|anz|itat|ei|al|or|ur|in|on|ss|ell|sch)en$|(?<=ie)n$/
const shortestPlural = 7

/**
 * Letters that German stems have and English words hardly ever. They are looked for in the stem, so that all forms of a
 * word are treated alike.
 */
const isGerman =
  /cht|tz|[aeoun]pf|^zu|^zw|^auf|^aus[^t]|[a-z]{3}ung|[blhkzr]eit|laub|ieb|jah|[aeou]hr|[aeuo]hl|[nrp]sch(?!ema)|lich|gt$|eis[^mn]|atz|ehm|meld|stell[^a]|^ver[fgklmnwz][a-z]|^ges[^t]|^ein[^s]|^vor[^t]|^ruck|^unter[a-z]|^uber|^mit[^cirot]|^nach|schl|schw|schr|schn|^abs[cp]|frag(?!m)|wech|kund|woch|prüf|pruf|beitr|kauf|lauf|raum/

type Stemmer = (word: string) => string

const load = createRequire(import.meta.url)
const loaded = new Map<string, Stemmer>()

/** Loaded with the first word that needs it. */
function stemmer(language: 'german' | 'russian'): Stemmer {
  let found = loaded.get(language)
  if (found === undefined) {
    found = (load(`@orama/stemmers/${language}`) as { stemmer: Stemmer }).stemmer
    loaded.set(language, found)
  }
  return found
}
