/**
 * Reads the file of executors, policy and repositories that PRECEDENT_CONFIG names. Every error names the file, line and
 * column.
 */
import { readFileSync, statSync } from 'node:fs'
import type { Need, ValueFlaw, Variables } from './operator/flaw.ts'
import { checkFile, mostFlaws } from './operator/flaws.ts'
import { type OperatorSettings, settingsOf } from './operator/settings.ts'
import { type Flaw, type ReadYaml, readYaml } from './operator/yaml.ts'

/** Bytes. */
const longestFile = 1024 * 1024

/**
 * Returns the settings, or one sentence for each flaw. `variables`: all of the process. `needs`: the secrets among them
 * that the process needs; the others may be unset.
 */
export function readOperatorFile(
  path: string,
  variables: Variables,
  needs: readonly Need[],
): OperatorSettings | string[] {
  const read = textOf(path)
  if ('refusal' in read) return [`PRECEDENT_CONFIG names ${path}, which ${read.refusal}.`]
  const yaml = readYaml(read.text)
  if (Array.isArray(yaml)) return sentences(path, yaml)
  const checked = checkFile(yaml.value, { variables, needs })
  if (Array.isArray(checked))
    return sentences(
      path,
      checked.map((flaw) => placed(flaw, yaml)),
    )
  return settingsOf(path, checked, { variables, needs })
}

function textOf(path: string): { text: string } | { refusal: string } {
  try {
    const found = statSync(path)
    if (found.isDirectory()) return { refusal: 'is a directory: name the file in it' }
    // reading a pipe or a device might never end
    if (!found.isFile()) return { refusal: 'is not a regular file: name one' }
    if (found.size > longestFile) return { refusal: `is larger than ${longestFile / 1024} KiB: leave something out` }
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)) }
  } catch (error) {
    if (error instanceof TypeError) return { refusal: 'is not UTF-8: save it in this encoding' }
    const { code = '' } = error as NodeJS.ErrnoException
    return { refusal: refusals[code] ?? `can't be read (${code}): correct the path, or unset it` }
  }
}

const refusals: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist: correct the path, or unset it',
  EACCES: 'this user may not read: make it readable',
}

function placed({ path, message, isName }: ValueFlaw, yaml: ReadYaml): Flaw {
  const name = path.reduce<string>(joined, '')
  return {
    ...yaml.placeOf(path, isName ? 'key' : 'value'),
    message: name === '' ? `it ${message}` : `${name} ${message}`,
  }
}

function joined(path: string, step: PropertyKey): string {
  if (typeof step === 'number') return `${path}[${step}]`
  return path === '' ? shownName(String(step)) : `${path}.${shownName(String(step))}`
}

/** Characters of a name that are shown. */
const longestShown = 64

/** A terminal must not act on what a name contains. */
function shownName(name: string): string {
  const short = name.length > longestShown ? `${name.slice(0, longestShown)}…` : name
  return /^[\w-]+…?$/.test(short) ? short : JSON.stringify(short).replace(/[^ -~…]/g, '?')
}

/** In the order of the file. */
function sentences(path: string, flaws: readonly Flaw[]): string[] {
  const sorted = [...flaws].sort((a, b) => a.line - b.line || a.column - b.column)
  const shown = sorted.slice(0, mostFlaws).map(({ line, column, message }) => {
    const end = /[.?!]$/.test(message) ? '' : '.'
    return `${path}:${line}:${column} ${message}${end}`
  })
  return [...new Set(shown), ...(sorted.length > mostFlaws ? [`${path} has further errors: correct these first.`] : [])]
}
