/** Rules between the fields of connected repositories, and of the variables that they name. */
import { firstWorkspace } from '../../src/access/workspaces.ts'
import type { SecretsNeeded, ValueFlaw } from './flaw.ts'
import { type RepositoryInFile, repository } from './repositories-schema.ts'

/** `connect`: as in the file, valid or not. */
export function flawsOfRepositories(connect: unknown, { variables, needs }: SecretsNeeded): ValueFlaw[] {
  const known = new Set<string>()
  return (Array.isArray(connect) ? connect : []).flatMap((entry: unknown, at) => {
    const { success, data } = repository.safeParse(entry)
    if (!success) return []
    const flaws: ValueFlaw[] = []
    // some file systems and people do not tell the cases apart
    const name = `${(data.workspace ?? firstWorkspace).toLowerCase()} ${data.name.toLowerCase()}`
    if (known.has(name)) {
      flaws.push({ path: ['name'], message: 'is the name of an earlier repository too: choose another' })
    }
    known.add(name)
    if (data.token_env !== undefined && !data.url.startsWith('https:')) {
      flaws.push({
        path: ['token_env'],
        message: 'is only for https: ssh uses the keys of the user of the service, and a path needs none. Leave it out',
      })
    } else if (needs.includes('tokens')) flaws.push(...tokenFlaws(data, variables))
    if (needs.includes('hooks')) flaws.push(...hookFlaws(data, variables))
    return flaws.map((flaw) => ({ ...flaw, path: ['repositories', 'connect', at, ...flaw.path] }))
  })
}

/** Characters. */
const longestToken = 4096

function tokenFlaws({ token_env: name }: RepositoryInFile, variables: SecretsNeeded['variables']): ValueFlaw[] {
  if (name === undefined) return []
  const token = variables[name] ?? ''
  const path = ['token_env']
  if (token === '') return [{ path, message: `names ${name}, which is not set: set it to the token` }]
  // it becomes a header line: a line break would begin another one
  if (/^[\x21-\x7e]+$/.test(token) && token.length <= longestToken) return []
  return [{ path, message: `names ${name}, which must be a token without spaces and line breaks` }]
}

/** Characters: of random letters and digits, they can't be guessed. */
const leastSecret = 16
const longestSecret = 1000

function hookFlaws({ secret_env: name }: RepositoryInFile, variables: SecretsNeeded['variables']): ValueFlaw[] {
  if (name === undefined) return []
  const secret = variables[name] ?? ''
  const shape = `${leastSecret} to ${longestSecret} random characters without spaces: make them with \`openssl rand -hex 24\``
  const path = ['secret_env']
  if (secret === '') return [{ path, message: `names ${name}, which is not set: set it to ${shape}` }]
  const isSecret = /^[\x21-\x7e]+$/.test(secret) && secret.length >= leastSecret && secret.length <= longestSecret
  return isSecret ? [] : [{ path, message: `names ${name}, which must be ${shape}` }]
}
