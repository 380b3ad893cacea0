/** The texts of results about repositories. They suffice for a client that shows text only. */
import type {
  FindSymbolsOutput,
  ListRepositoriesOutput,
  SearchCodeOutput,
  TreeOutput,
} from '../../code/reading/schema.ts'
import { oneLine, printable } from '../../context/brief/text/in-line.ts'
import { joined, lines, more } from './text.ts'

/** Digits of a commit. */
const shortCommit = 12

/** One line for each repository. */
export function repositoriesText({ items, has_more, next_cursor }: ListRepositoriesOutput): string {
  const found = items.map(({ full_name, default_branch, indexed, head, state, error, counts }, at) => {
    const commit = indexed === null ? 'nothing indexed yet' : `indexed ${indexed.commit.slice(0, shortCommit)}`
    const isBehind = head !== null && indexed !== null && head.commit !== indexed.commit
    const behind = isBehind ? `behind ${head.commit.slice(0, shortCommit)}` : ''
    const facts = [state, oneLine(default_branch ?? ''), commit, behind, `${counts.files} files`, oneLine(error ?? '')]
    return `${at + 1}. ${oneLine(full_name)} (${joined(facts)})`
  })
  return lines([...(found.length === 0 ? ['No repository matches.'] : found), ...(has_more ? more(next_cursor) : [])])
}

/** One line for each entry, with its whole path. Folders end with a slash. */
export function treeText({ repo, commit, path, entries, next_cursor }: TreeOutput): string {
  const shown = entries.map(({ path, type, size, language, symbols, skipped }) => {
    if (type === 'directory') return `${oneLine(path)}/`
    const facts = joined([
      type === 'file' ? '' : type,
      language ?? '',
      size === undefined ? '' : `${size} bytes`,
      symbols === undefined ? '' : `${symbols} symbols`,
      skipped === undefined ? '' : `not indexed: ${skipped}`,
    ])
    return facts === '' ? oneLine(path) : `${oneLine(path)} (${facts})`
  })
  return lines([
    `${oneLine(repo)}, commit ${commit.slice(0, shortCommit)}, ${path === '' ? 'the root' : oneLine(path)}:`,
    ...(shown.length === 0 ? ['It is empty.'] : shown),
    ...more(next_cursor),
  ])
}

/** Each place in one line, followed by its code if that has more than one line. */
export function codeText({ items, coverage, next_cursor }: SearchCodeOutput): string {
  const found = items.flatMap(({ repo, path, lines: { start, end }, symbol, kind, snippet }, at) => {
    const place = `${at + 1}. ${oneLine(repo)} ${oneLine(path)}:${start}-${end}`
    const name = symbol === undefined ? '' : ` ${kind ?? ''} ${oneLine(symbol)}`
    if (!snippet.includes('\n')) return [`${place}${name}: ${oneLine(snippet)}`]
    return [
      `${place}${name}`,
      ...printable(snippet)
        .split('\n')
        .map((line) => `    ${line}`),
    ]
  })
  return lines([...(found.length === 0 ? ['No code matches.'] : found), coverageText(coverage), ...more(next_cursor)])
}

const noDefinition =
  'No definition matches. With match=fuzzy names are found that are like it; search_code finds words in the code.'

/** One line for each definition, and one for what its comment says. */
export function symbolsText({ items, coverage, next_cursor }: FindSymbolsOutput): string {
  const found = items.flatMap(({ name, kind, container, repo, path, lines: { start, end }, signature, doc }, at) => {
    const whole = container === undefined ? name : `${container.replaceAll('/', '.')}.${name}`
    const place = `${oneLine(repo)} ${oneLine(path)}:${start}-${end}`
    return [
      `${at + 1}. ${kind} ${oneLine(whole)}, ${place}: ${oneLine(signature)}`,
      ...(doc === undefined ? [] : [`    ${oneLine(doc)}`]),
    ]
  })
  return lines([...(found.length === 0 ? [noDefinition] : found), coverageText(coverage), ...more(next_cursor)])
}

function coverageText({ repos, behind }: SearchCodeOutput['coverage']): string {
  const searched = `Searched: ${repos} ${repos === 1 ? 'repository' : 'repositories'}`
  return behind === 0 ? `${searched}.` : `${searched}. Of these, not at their newest commit: ${behind}.`
}
