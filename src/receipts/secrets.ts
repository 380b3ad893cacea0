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

/** Every rule's matches hold one of these; a text without any is not looked at further. */
const looksLikeOne =
  /-----BEGIN|A3T[A-Z0-9]|A(?:KIA|GPA|IDA|ROA|IPA|NPA|NVA|SIA)[A-Z0-9]|secret_?access_?key|_authToken=|npm_|xox[bpaor]-|xapp-|hooks\.slack|:\/\/[^\s/@]*:[^\s/@]*@|sk-|lin_api_|SG\.|shp(?:pa|ca|at|ss)_|gh[pousr]_|github_pat_|ops_|private_key|svc_(?:sk|oat)_|glpat-|AIza|[rs]k_live_|hf_/i

const more: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['precedent', /\bsvc_(?:sk|oat)_[A-Za-z0-9_-]{32,}/],
  ['gitlab', /\bglpat-[A-Za-z0-9_-]{20,}/],
  ['google', /\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/],
  ['stripe', /\b[rs]k_live_[A-Za-z0-9]{24,}/],
  ['huggingface', /\bhf_[A-Za-z]{34}\b/],
]

/** The first credential in any of the texts. */
export async function findSecret(texts: readonly { place: string; text: string }[]): Promise<SecretFound | undefined> {
  for (const { place, text } of texts) {
    if (!looksLikeOne.test(text)) continue
    const own = more.find(([, pattern]) => pattern.test(text))
    const kind = own?.[0] ?? (await bySecretlint(text))
    if (kind) return { kind, place }
  }
  return undefined
}

async function bySecretlint(text: string): Promise<string | undefined> {
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
    const [{ lintSource }, preset] = await Promise.all([
      import('@secretlint/core'),
      import('@secretlint/secretlint-rule-preset-recommend'),
    ])
    const rules = preset.rules.filter((rule) => !rule.meta.id.endsWith('filter-comments'))
    return {
      lint: lintSource,
      config: { rules: rules.map((rule) => ({ id: rule.meta.id, rule }) as Config['rules'][number]) },
    }
  })()
  return loaded
}
