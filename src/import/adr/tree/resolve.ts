/** Finds the file that a reference in a record means: by path, file name, number or title. */

import { decoded } from '../../../text/decoded.ts'
import { posix } from '../../../text/posix.ts'
import { wordKey } from '../document/dictionary.ts'
import type { Target } from '../relations/targets.ts'
import { splitNumber } from '../title.ts'
import { recordFile } from './kind.ts'

export interface Known {
  /** Path from the root, with `/`. */
  path: string
  title: string
  number: number | undefined
  /** Labels by which other files refer to it. */
  labels?: readonly string[]
  /** Only of a decision in a decision log: its file, and the anchor of its heading. */
  inLog?: { file: string; slug: string }
}

export type Resolved = { path: string } | { outside: string } | { missing: 'unknown' | 'ambiguous' }

/** The decisions of one tree, for `resolve`. */
export interface Index {
  /** `owner/name` of the repository, if it is known. */
  source: string
  folders: ReadonlySet<string>
  paths: ReadonlyMap<string, string>
  byName: ReadonlyMap<string, string[]>
  /** By their names without numbers. */
  byWords: ReadonlyMap<string, string[]>
  byNumber: ReadonlyMap<number, string[]>
  byTitle: ReadonlyMap<string, string[]>
  /** Decisions in decision logs by the path of their file and an anchor. */
  byAnchor: ReadonlyMap<string, string[]>
  /** By the path of a decision in a decision log: the path of its file. */
  logs: ReadonlyMap<string, string>
}

export function indexOf(records: readonly Known[], source = ''): Index {
  const paths = new Map<string, string>()
  const byName = new Map<string, string[]>()
  const byWords = new Map<string, string[]>()
  const byNumber = new Map<number, string[]>()
  const byTitle = new Map<string, string[]>()
  const byAnchor = new Map<string, string[]>()
  const logs = new Map<string, string>()
  for (const { path, title, number, labels = [], inLog } of records) {
    push(byTitle, titleKey(title), path)
    for (const label of labels) push(byName, nameKey(label), path)
    if (inLog) {
      logs.set(path, inLog.file)
      for (const anchor of [inLog.slug, path.slice(inLog.file.length + 1)])
        push(byAnchor, `${pathKey(inLog.file)}#${anchor}`, path)
      if (number !== undefined) push(byNumber, number, path)
      continue
    }
    paths.set(pathKey(path), path)
    push(byName, nameKey(posix.basename(path)), path)
    push(byWords, wordsKey(posix.basename(path)), path)
    // references to 0001-use-one-file/index.md name its folder
    push(byName, nameKey(posix.basename(posix.dirname(path))), path)
    const inName = numberOf(posix.basename(path)) ?? numberOf(posix.basename(posix.dirname(path)))
    for (const one of new Set([inName, inName === undefined ? number : undefined]))
      if (one !== undefined) push(byNumber, one, path)
  }
  const folders = new Set(records.map(({ path }) => pathKey(posix.dirname(path))))
  return { source, folders, paths, byName, byWords, byNumber, byTitle, byAnchor, logs }
}

/**
 * `from`: the file that contains the reference. `outside`: a path that was not read. The URL decides before the text of
 * a link, unless no file has this path. If the file was not read, the link means the record whose title is in its text
 * (`12. Title`).
 */
export function resolve(index: Index, from: string, target: Target): Resolved {
  const byUrl = target.url === undefined || target.url === '' ? undefined : resolveUrl(index, from, target.url)
  if (byUrl && 'path' in byUrl) return byUrl
  if (byUrl && 'elsewhere' in byUrl) return resolveTitle(index, from, target.text) ?? byUrl.elsewhere
  const byText = resolveText(index, from, target.text)
  if ('path' in byText) return byText
  return byUrl ?? byText
}

/** `elsewhere`: certainly no record that was read, so the text does not matter. */
type ResolvedUrl = Resolved | { elsewhere: Resolved }
const notHere: ResolvedUrl = { elsewhere: { missing: 'unknown' } }

function resolveUrl(index: Index, from: string, url: string): ResolvedUrl | undefined {
  const bare = decoded(url.replace(/[?#].*$/s, '').trim())
  const inLog = decisionAt(index, from, bare, decoded(/#(.*)$/s.exec(url)?.[1]?.trim() ?? ''))
  if (inLog !== undefined) return { path: inLog }
  if (bare === '') return undefined
  if (/^[a-z][a-z0-9+.-]*:/i.test(bare)) return resolveWeb(index, bare)
  const path = bare.startsWith('/')
    ? posix.normalize(bare.slice(1))
    : posix.normalize(posix.join(posix.dirname(from), bare))
  const found = atPath(index, path)
  if (found) return { path: found }
  // the path may be one of a web site, or a folder has moved: look for the file name, if only one file has it
  const name = posix.basename(path.replace(/\/$/, ''))
  const named = only(index.byName.get(nameKey(name)), from)
  if (named && 'path' in named) return named
  const isRecord = recordFile.test(path)
  const isFile = isRecord && !path.startsWith('..') && !bare.startsWith('/')
  const number = numberOf(name)
  if (number === undefined) return isFile ? { outside: path } : named
  // the file got another number
  const renumbered = only(index.byWords.get(wordsKey(name)), from)
  if (renumbered && 'path' in renumbered && renumbered.path !== from) return renumbered
  // the file was renamed: the number in its URL decides, if records are in that folder or it may be a web site's path
  const isHere = index.folders.has(pathKey(posix.dirname(path))) || !isRecord || bare.startsWith('/')
  const renamed = isHere ? only(index.byNumber.get(number), from) : undefined
  if (renamed && 'path' in renamed) return renamed
  if (!isRecord) return named
  return isFile ? { elsewhere: { outside: path } } : notHere
}

/** The decision in a decision log that a link names by its anchor: `decisions.md#dec-001-use-one-file`. */
function decisionAt({ byAnchor, logs }: Index, from: string, bare: string, anchor: string): string | undefined {
  if (anchor === '' || byAnchor.size === 0) return undefined
  const file = bare === '' ? (logs.get(from) ?? from) : posix.join(posix.dirname(from), bare)
  return byAnchor.get(`${pathKey(posix.normalize(file))}#${anchor.toLowerCase()}`)?.[0]
}

/** Finds the file of a URL such as `https://host/owner/name/blob/main/doc/adr/0001-x.md`. */
function resolveWeb(index: Index, url: string): ResolvedUrl | undefined {
  const segments = url.split('/').slice(3)
  const [owner = '', name = '', kind = ''] = segments
  if (/^(?:issues|pull|discussions|commit|merge_requests)$/.test(kind)) return notHere
  const isOther = index.source.includes('/') && `${owner}/${name}`.toLowerCase() !== index.source.toLowerCase()
  if (/^(?:blob|tree|raw)$/.test(kind) && isOther) return inOtherRepository(index, segments)
  for (let at = 0; at < segments.length; at++) {
    const found = atPath(index, segments.slice(at).join('/'))
    if (found && (segments.length - at > 1 || recordFile.test(found))) return { path: found }
  }
  return only(index.byName.get(nameKey(segments.filter((part) => part !== '').at(-1) ?? '')), '')
}

/**
 * The record with exactly this path: the repository was renamed, moved or forked, and its links were not. The first
 * record that a tool for records makes has the same path in many repositories.
 */
function inOtherRepository(index: Index, segments: readonly string[]): ResolvedUrl {
  const isCommon = /record-architecture-decisions|use-(?:m?adrs?|markdown)/i.test(segments.at(-1) ?? '')
  // owner, name, kind and a branch, whose name may contain slashes
  for (let at = 4; !isCommon && at < segments.length - 1; at++) {
    const path = index.paths.get(pathKey(segments.slice(at).join('/')))
    if (path) return { path }
  }
  return notHere
}

/** What a link to a record may leave out. */
const endings = [
  '',
  ...['.md', '.mdx', '.markdown', '.rst', '.adoc', '.asciidoc'],
  ...['/index.md', '/README.md', '/documentation.md', '/index.mdx'],
  ...['/index.rst', '/README.rst', '/index.adoc', '/README.adoc'],
]

function atPath(index: Index, path: string): string | undefined {
  const bare = path.replace(/\/+$/, '').replace(/\.html?$/i, '')
  for (const ending of endings) {
    const found = index.paths.get(pathKey(bare + ending))
    if (found) return found
  }
  return undefined
}

function resolveText(index: Index, from: string, text: string): Resolved {
  const plain = decoded(text.trim().replace(/^["'“”`]+|["'“”`.]+$/g, ''))
  // log4brains writes `package/20201028-slug`
  const last = posix.basename(plain)
  const named = index.byName.get(nameKey(last))
  if (named) {
    const inPackage = plain.includes('/') ? named.filter((path) => path.includes(`/${posix.dirname(plain)}/`)) : named
    const found = only(inPackage.length > 0 ? inPackage : named, from, index.logs)
    if (found) return found
  }
  const titled = index.byTitle.get(titleKey(plain))
  if (titled) return only(titled, from, index.logs) ?? { missing: 'unknown' }
  const match = /^(?:\[?(?:\p{L}{1,8}|decision record)\]?)?[\s#№_:.-]*(\d{1,6})(?!\d)\s*(?:[.:)–—_-]|\s|$)/iu.exec(
    plain,
  )
  const numbered = match ? only(index.byNumber.get(Number(match[1])), from, index.logs) : undefined
  if (numbered && 'path' in numbered) return numbered
  // no file, or more than one, has this number: look for the title in `12. Title`
  return resolveTitle(index, from, plain) ?? numbered ?? { missing: 'unknown' }
}

/** The record with the title in `12. Title`. */
function resolveTitle(index: Index, from: string, text: string): Resolved | undefined {
  const { title } = splitNumber(text.trim())
  return title === text.trim() ? undefined : only(index.byTitle.get(titleKey(title)), from, index.logs)
}

/** The only path; of several, the only one in the same log or in the folder of `from`. */
function only(
  paths: readonly string[] | undefined,
  from: string,
  logs?: ReadonlyMap<string, string>,
): Resolved | undefined {
  if (!paths || paths.length === 0) return undefined
  const [first] = paths
  if (paths.length === 1 && first) return { path: first }
  const log = logs?.get(from)
  const beside = log === undefined ? [] : paths.filter((path) => logs?.get(path) === log)
  if (beside.length === 1 && beside[0]) return { path: beside[0] }
  const near = paths.filter((path) => posix.dirname(path) === posix.dirname(from))
  return near.length === 1 && near[0] ? { path: near[0] } : { missing: 'ambiguous' }
}

const pathKey = (path: string) => path.normalize('NFC').toLowerCase()

function nameKey(name: string): string {
  return name
    .replace(/\.(?:mdx?|markdown|rst|adoc|asciidoc|html?)$/i, '')
    .normalize('NFC')
    .toLowerCase()
}

/** `use-x` of `0012-use-x`; empty if the name has no number or nothing else. */
const wordsKey = (name: string) =>
  numberOf(name) === undefined ? '' : nameKey(name).replace(/^(?:\p{L}{1,8}[-_ ]?)?\d{1,5}[-_. ]*/u, '')

/** 12 for `0012-use-x`. A date at the beginning of a name, as log4brains writes it, is not a number. */
export function numberOf(name: string): number | undefined {
  const match = /^(?:\p{L}{1,8}[-_ ]?)?0*(\d{1,5})(?=[-_. ]|$)/iu.exec(name)
  return match && !/^\d{4}-\d{2}-\d{2}/.test(name) ? Number(match[1]) : undefined
}

function titleKey(title: string): string {
  return wordKey(title)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function push<Key>(map: Map<Key, string[]>, key: Key, value: string): void {
  if (key === '' || key === '.') return
  const list = map.get(key)
  if (!list) map.set(key, [value])
  else if (!list.includes(value)) list.push(value)
}
