/**
 * Placeholders for credentials: `user:password`, `<token>`, `changeme`, `XXXX`, defaults of local servers, and samples
 * that services publish. Our own rules and the library's both use this.
 */
import { decoded } from './decoded.ts'
import { isHex, looksRandom } from './random.ts'
import type { Finding } from './rules/rule.ts'

export function isPlaceholder(finding: Finding): boolean {
  const { form } = finding
  if (form === 'encoded') return isEmptyKey(finding.value)
  // `%3Cpassword%3E`
  const value = form === 'chosen' ? decoded(finding.value) : finding.value
  if (isVariable(value) || isMasked(value) || samples.has(value) || wordsOfExamples.test(value)) return true
  if (isCommit(finding)) return true
  if (form === 'chosen') return isDefault({ ...finding, value })
  return isMonotonous(value) || isName(value)
}

/** A commit id of git next to the name of a secret access key, which is base64 of the same length. */
function isCommit({ kind, value }: Finding): boolean {
  return kind === 'aws' && value.length === 40 && isHex(value)
}

/** The most characters of an encoded key in which a word counts. A long key contains any word by chance. */
const start = 100
const leastDistinctEncoded = 8

/** The header of a private key around a row of `x`, or around a word for a placeholder. */
function isEmptyKey(value: string): boolean {
  return new Set(value).size < leastDistinctEncoded || wordsOfExamples.test(value.slice(0, start))
}

/** `${DB_PASSWORD}`, `{{ token }}`, `<password>`, `%PASS%`, `__PASS__`, `@@PASS@@`, `((pass))`, `$(command)`, `[secret]`. */
function isVariable(value: string): boolean {
  return /^\$[a-z_]\w*$|^[<[]|\$\{[^}]{1,80}\}|\$\([^)]{1,80}\)|\{\{|\{[\w.]{1,60}\}|^%\w+%$|^__[a-z_]+__$|^@@?\w+@@?$|^\(\([^)]{1,80}\)\)$|^~[\w-]+~$|<[\w -]{1,60}>|…|\.{3}/i.test(
    value,
  )
}

/** `****`, `xxxxxxxx`, `xxx-xxx`, `••••`, `0000000`. */
function isMasked(value: string): boolean {
  // a row of A is zero bytes in base64
  return /[*•]{3}|x{5}|([^/+=A])\1{5}|^(.)\2*$|^x+(?:[-_.]x+)*$/i.test(value)
}

const wordsOfExamples =
  /example|placeholder|change[-_]?(?:me|it|this)|replace[-_]?(?:me|with|this)|redacted|dummy|sample|masked|removed|insert[-_]|goes[-_]?here|not[-_]?a?[-_]?real|do[-_]?not[-_]?use|insecure|(?:^|[^a-z])(?:your?|fake|todo|fixme|none|null|undefined|test|demo|foo|bar)(?:[^a-z]|$)|^your|your[-_]/i

/** Published by the services for documentation and emulators. */
const samples = new Set([
  // Azurite, the Cosmos DB emulator
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
  'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==',
  // Stripe
  '4eC39HqLyjWDarjtT1zdp7dc',
])

/** Words, not random characters: `npm_config_registry_of_the_team`. */
function isName(value: string): boolean {
  return /^(?:[A-Za-z]{1,30}\d{0,3}[-_]){2,20}[A-Za-z]{0,30}\d{0,3}$/.test(value) && !looksRandom(value)
}

/** The share of steps from one character to the next that are 0 or 1: `1234abcd`. */
const mostSteady = 0.5
const leastDistinct = 6

function isMonotonous(value: string): boolean {
  if (new Set(value).size < leastDistinct) return true
  const plain = value.toLowerCase()
  let steady = 0
  for (let at = 1; at < plain.length; at++) {
    if (Math.abs(plain.charCodeAt(at) - plain.charCodeAt(at - 1)) <= 1) steady++
  }
  return steady / (value.length - 1) >= mostSteady || /^(.{1,8})\1{2,}.{0,7}$/.test(value)
}

/** Words in example passwords, and names of servers that ship with these. */
const commonWords =
  'password passphrase passwd pass pwd pw pat username user login admin root guest anonymous owner service secret token key ' +
  'credential database db api web app ci local default dev test demo prod staging my your the some our is this new old super ' +
  'top very strong long secure postgresql postgres mysql mongodb mongo redis rabbitmq rabbit minio elastic grafana keycloak ' +
  'kafka bitnami airflow jenkins foobared foo bar baz qux abc xyz hunter letmein welcome qwerty asdf string value here goes hidden name sa'
const commonWord = new RegExp(
  `(?:${commonWords
    .split(' ')
    .sort((a, b) => b.length - a.length)
    .join('|')})s?[-_. ]?`,
  'iy',
)
const afterWords = /\d{0,4}!?$/y

/**
 * For example `my-secret-password1`. Takes the longest word at each place and never goes back, so the cost is linear.
 */
function isOfCommonWords(value: string): boolean {
  let at = 0
  do {
    commonWord.lastIndex = at
    if (!commonWord.test(value)) break
    at = commonWord.lastIndex
  } while (at < value.length)
  afterWords.lastIndex = at
  return at > 0 && afterWords.test(value)
}

/** The most characters of a default password. Longer ones are not words. */
const longestDefault = 60

function isDefault({ value, user = '', host = '' }: Finding): boolean {
  const plain = lettersFor(value)
  if (value === user || value.length < shortestPassword) return true
  if (value.length <= longestDefault && (isOfCommonWords(value) || isOfCommonWords(plain))) return true
  if (/^(?:1234|0123|abcd)/i.test(value) && isMonotonous(value)) return true
  return isLocal(host) && !looksRandom(value)
}

const shortestPassword = 3

/** `p@ssw0rd`. */
function lettersFor(value: string): string {
  return value
    .replace(/[@4]/g, 'a')
    .replace(/0/g, 'o')
    .replace(/3/g, 'e')
    .replace(/[$5]/g, 's')
    .replace(/1(?=[^\d]|$)/g, 'i')
}

/** This machine. More hosts may follow after a comma. */
function isLocal(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\]|host\.docker\.internal)(?:[:,]|$)/i.test(host)
}
