/**
 * Finds credentials in what is about to be stored (PROTOCOL 6, rejected). The rules are secretlint's recommended ones,
 * which are maintained for few false alarms, and some token forms that they leave out. They are loaded when a text first
 * looks as if it could hold one: most never do.
 */
export interface SecretFound {
  /** Such as `github` or `privatekey`: never the secret. */
  kind: string
  place: string
}

/**
 * Every rule's matches hold one of these; a text without any is not looked at further. As narrow as the rules allow:
 * what passes costs a thousand times more. Each repetition is bounded, for callers choose the text.
 */
const looksLikeOne: readonly RegExp[] = [
  /(?:A3T[A-Z0-9]|A(?:KIA|GPA|IDA|ROA|IPA|NPA|NVA|SIA))[A-Z0-9]{16}|(?:SECRET|[Ss]ecret)_?(?:ACCESS|[Aa]ccess)_?(?:KEY|[Kk]ey)/,
  /-----BEGIN|private_key|_authToken=|npm_\w{36}|xox[bpaor]-|xapp-|sk-[\w-]{20}|lin_api_|SG\.\w{1,128}\.|shp(?:pa|ca|at|ss)_/,
  /gh[pousr]_\w{36}|github_pat_|ops_ey|svc_(?:sk|oat)_|glpat-|AIza|[rs]k_live_|hf_[A-Za-z]{34}|x-oauth-basic/,
  /hooks\.slack|:\/\/[^\s/]{0,256}:[^\s/@]{1,256}@/i,
]

const more: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['precedent', /\bsvc_(?:sk|oat)_[A-Za-z0-9_-]{32,}/],
  ['gitlab', /\bglpat-[A-Za-z0-9_-]{20,}/],
  ['google', /\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/],
  ['stripe', /\b[rs]k_live_[A-Za-z0-9]{24,}/],
  ['huggingface', /\bhf_[A-Za-z]{34}\b/],
]

export interface Text {
  /** Name of the field that it stands in. */
  place: string
  text: string
}

/** All strings in a value, as they are: escaped in JSON many a credential looks like none. */
export function textIn(place: string, value: unknown): Text {
  return { place, text: stringsIn(value).join('\n') }
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(stringsIn) : []
}

/** The first credential in any of the texts. */
export async function findSecret(texts: readonly Text[]): Promise<SecretFound | undefined> {
  for (const { place, text } of texts) {
    if (!looksLikeOne.some((pattern) => pattern.test(text))) continue
    const own = more.find(([, pattern]) => pattern.test(text))
    const kind = own?.[0] ?? (await bySecretlint(text))
    if (kind) return { kind, place }
  }
  return undefined
}

/**
 * What secretlint does for each credential that it finds grows with the text around it: in a long text of thousands
 * that took 20 s. So it gets pieces, and the first with a credential ends it.
 */
async function bySecretlint(text: string): Promise<string | undefined> {
  for (const piece of piecesOf(text)) {
    const kind = await inPiece(piece)
    if (kind) return kind
  }
  return undefined
}

/** In UTF-16 units. Two pieces share what the longest credential has, a private key: secretlint takes 10,000 for it. */
const pieceLength = 16_000
const shared = 11_000
const blank = /\s/

/** Cut where there is a space: half a number could look like a key that it is not. */
function* piecesOf(text: string): Iterable<string> {
  for (let from = 0; ; ) {
    const to = from + pieceLength >= text.length ? text.length : spaceBefore(text, from + pieceLength)
    yield text.slice(from, to)
    if (to === text.length) return
    from = spaceBefore(text, to - shared)
  }
}

const longestWord = 1_000

function spaceBefore(text: string, at: number): number {
  for (let here = at; here > at - longestWord; here--) if (blank.test(text[here] as string)) return here
  return at
}

async function inPiece(text: string): Promise<string | undefined> {
  const { lint, config } = await load()
  const { messages } = await lint({
    source: { content: text, filePath: 'content.txt', ext: '.txt', contentType: 'text' },
    options: { config, noPhysicFilePath: true },
  })
  // an account's number is no credential
  const found = messages.find((message) => message.messageId !== 'AWSAccountID')
  return found?.ruleId.replace('@secretlint/secretlint-rule-', '')
}

type Lint = typeof import('@secretlint/core').lintSource
type Config = Parameters<Lint>[0]['options']['config']
type Loaded = { lint: Lint; config: Config }
let loaded: Promise<Loaded> | undefined

function load(): Promise<Loaded> {
  loaded ??= (async () => {
    const [{ lintSource }, preset, { secretLintProfiler }] = await Promise.all([
      import('@secretlint/core'),
      import('@secretlint/secretlint-rule-preset-recommend'),
      import('@secretlint/profiler'),
    ])
    // it keeps every mark of every text for ever, and looks through all of them at each
    secretLintProfiler.mark = () => {}
    const rules = preset.rules.filter((rule) => !rule.meta.id.endsWith('filter-comments'))
    return {
      lint: lintSource,
      config: { rules: rules.map((rule) => ({ id: rule.meta.id, rule }) as Config['rules'][number]) },
    }
  })()
  return loaded
}
