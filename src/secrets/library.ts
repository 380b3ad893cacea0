/** The rules of secretlint, which are maintained to give few false alarms. Loaded when a text first needs them. */
import { passwordIn } from './logins.ts'
import type { Finding } from './rules/rule.ts'

/**
 * All matches of the rules contain one of these. Only texts with one are passed to the library. The patterns are as
 * narrow as possible, because the library costs a thousand times more. Each repetition is bounded, because callers
 * choose the text.
 */
const looksLikeOne: readonly RegExp[] = [
  /(?:SECRET|[Ss]ecret)_?(?:ACCESS|[Aa]ccess)_?(?:KEY|[Kk]ey)["']?\s{0,20}(?:=>?|:)\s{0,20}["']?[\w/+=]{39}/,
  /-----BEGIN ?[A-Z ]{0,20}PRIVATE KEY|_authToken=|npm_\w{36}|xox[bpaor]-|xapp-|sk-[\w-]{20}|lin_api_|SG\.\w{1,128}\.\w/,
  /shp(?:pa|ca|at|ss)_|gh[pousr]_\w{36}|github_pat_\w{82}|ops_ey|x-oauth-basic/,
  /hooks\.slack\.com\/services\/T|:\/\/[^\s/]{0,256}:[^\s/@]{1,256}@/i,
]

/** The findings of the library, piece by piece. Yields undefined after each piece, so that the caller can pause. */
export async function* findingsOfLibrary(text: string): AsyncGenerator<Finding | undefined> {
  if (!looksLikeOne.some((pattern) => pattern.test(text))) return
  for (const { piece, at } of piecesOf(text)) {
    if (looksLikeOne.some((pattern) => pattern.test(piece))) yield* inPiece(piece, at)
    yield undefined
  }
}

/**
 * In UTF-16 units. The time that secretlint needs for each credential grows with the text: a long text with thousands
 * took 20 s. So it gets pieces. Pieces overlap by more than the longest token. Our own rules find private keys, which
 * are longer.
 */
const pieceLength = 4_000
const shared = 1_500
const blank = /\s/

/** Cuts at a space, because half of a number could look like a key. */
function* piecesOf(text: string): Iterable<{ piece: string; at: number }> {
  for (let from = 0; ; ) {
    const to = from + pieceLength >= text.length ? text.length : spaceBefore(text, from + pieceLength)
    yield { piece: text.slice(from, to), at: from }
    if (to === text.length) return
    from = spaceBefore(text, to - shared)
  }
}

const longestWord = 1_000

function spaceBefore(text: string, at: number): number {
  for (let here = at; here > at - longestWord; here--) if (blank.test(text[here] as string)) return here
  return at
}

/** The most findings of one piece to check. */
const mostInPiece = 100

async function* inPiece(piece: string, at: number): AsyncGenerator<Finding> {
  const { lint, config } = await load()
  const { messages } = await lint({
    source: { content: piece, filePath: 'content.txt', ext: '.txt', contentType: 'text' },
    options: { config, noPhysicFilePath: true },
  })
  for (const { ruleId, range } of messages.slice(0, mostInPiece)) {
    const kind = ruleId.replace('@secretlint/secretlint-rule-', '')
    yield findingOf(kind, piece, range[0], range[1], at)
  }
}

/** Some rules report the start of the name instead of the value. */
const valueBehindName: Record<string, RegExp> = {
  aws: /[A-Za-z0-9/+=]{40}/,
  npm: /(?<=^_authToken=)\S{1,300}/,
}
const mostOfName = 400
/** `ghp_`, `github_pat_`, `lin_api_`, `SG.`. */
const prefix = /^[A-Za-z]{2,6}(?:_pat|_api)?[-_.]/

/** The other rules report a whole url, a whole key, or a token with its prefix. */
function findingOf(kind: string, piece: string, from: number, to: number, at: number): Finding {
  const found = piece.slice(from, to)
  const login = passwordIn(found)
  if (login) return { ...login, kind, at: at + from + login.at }
  if (kind === 'privatekey') return { kind, at: at + from, value: found, form: 'encoded' }
  const named = valueBehindName[kind]?.exec(piece.slice(from, from + mostOfName))?.[0]
  if (named !== undefined) return { kind, at: at + from, value: named, form: 'chosen' }
  return { kind, at: at + from, value: found.replace(prefix, ''), form: 'random' }
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
    // the profiler keeps the marks of all texts for ever, and searches all of them each time
    secretLintProfiler.mark = () => {}
    const rules = preset.rules.filter((rule) => !rule.meta.id.endsWith('filter-comments'))
    return {
      lint: lintSource,
      config: { rules: rules.map((rule) => ({ id: rule.meta.id, rule }) as Config['rules'][number]) },
    }
  })()
  return loaded
}
