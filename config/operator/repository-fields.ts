/** Fields of a connected repository in the operator's file. No message shows a value, because a URL may hold a password. */
import { z } from 'zod'
import { userPattern } from '../../src/access/keys.ts'
import { uuidPattern } from '../../src/ids.ts'
import { list, matching, says, words } from './fields.ts'

/** Characters of a full name, as in paths of the API. */
const longestName = 300
const longestUrl = 2000
/** Characters. git refuses longer ones on most file systems. */
const longestBranch = 244
const longestPattern = 300
const mostPatterns = 100

const nameShape = `owner/name of letters, digits, -, _ and ., of at most ${longestName} characters, such as acme/shop`
/** Two parts, neither of which begins with a dot or a dash: `..` and options are no names. */
export const repositoryName = matching(/^\w[\w.-]*\/\w[\w.-]*$/, nameShape).max(longestName, `must be ${nameShape}`)

const urlShape = 'https://…, ssh://… or an absolute path, such as https://git.example.com/acme/shop.git'
/** Two messages for one value would be one too many: the first that fits is the most helpful. */
export const repositoryUrl = words(1, longestUrl, urlShape).superRefine((url, context) => {
  const message = urlFlaw(url)
  if (message !== undefined) context.addIssue({ code: 'custom', message })
})

/** Completes "url …". undefined: git may be given this URL. */
function urlFlaw(url: string): string | undefined {
  // git would percent-decode, and other programs split, what is not plain ASCII
  if (/\p{Cc}/u.test(url)) return 'must have no line breaks and no other control characters'
  if (url.startsWith('/')) return undefined
  if (url.startsWith('-')) return `must be ${urlShape}: git would take it for an option`
  if (url.includes('::')) return `must be ${urlShape}: helpers such as ext:: are not allowed`
  if (url.startsWith('http://'))
    return 'must begin with https://: without TLS, others could read the token and the code'
  if (/^[^/:]+@[^/:]+:/.test(url)) return 'must be written as ssh://user@host/path, with a slash after the host'
  if (!/^(https|ssh):\/\//.test(url) || !URL.canParse(url)) return `must be ${urlShape}`
  return flawOfParts(new URL(url), url)
}

function flawOfParts({ protocol, username, password, hostname, search, hash }: URL, url: string): string | undefined {
  if (password !== '' || (protocol === 'https:' && username !== '')) {
    return 'must have no user and no password: put the token into an environment variable, and name it in token_env'
  }
  if (search !== '' || hash !== '' || /[?#]/.test(url)) return 'must have no query and no fragment: leave them out'
  if (!/^[\x21-\x7e]+$/.test(url))
    return 'must have no spaces, and only ASCII characters: write others as %20 and the like'
  // ssh takes an argument that begins with a dash for an option
  if (!/^[\da-z[]/i.test(hostname)) return 'must name a host that begins with a letter or a digit'
  if (username !== '' && !/^\w[\w.-]*$/.test(username)) return 'must name a user of letters, digits, -, _ and .'
  return undefined
}

const branchShape = `the name of a branch, of at most ${longestBranch} characters, such as main`
/** The rules of git-check-ref-format. */
export const branchName = words(1, longestBranch, branchShape)
  .refine((name) => !/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|[/.]$|^-|\.lock(\/|$)|(^|\/)\.|^\/|^@$/u.test(name), {
    error: `must be ${branchShape}`,
    abort: true,
  })
  .refine((name) => !name.startsWith('refs/'), 'must be the name alone: leave out refs/heads/')

/** Who sees a repository. */
export const repositoryAudience = z
  .string(says('workspace, team:<id> or user:<id>'))
  .refine(isAudience, 'must be workspace, team: and the id of a team, or user: and the id of a user')

function isAudience(text: string): boolean {
  if (text === 'workspace') return true
  if (text.startsWith('team:')) return uuidPattern.test(text.slice('team:'.length))
  return text.startsWith('user:') && userPattern.test(text.slice('user:'.length))
}

export const workspaceId = matching(uuidPattern, 'the id of a workspace')

const patternShape = 'a path or pattern such as src or "**/*.tf", without / at the start'
const pathPattern = words(1, longestPattern, patternShape)
  .refine((pattern) => !pattern.startsWith('/') && !/[\p{Cc}\\]/u.test(pattern), `must be ${patternShape}`)
  .refine((pattern) => !pattern.split('/').includes('..'), 'must stay inside the repository: leave out ..')

export const pathPatterns = () =>
  list(pathPattern, 1, mostPatterns, 'a list of paths and patterns such as [src, "**/*.tf"]')

const nameOfVariable = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/
/** Nothing but this service reads it, so it may have any name. */
export const secretVariable = matching(nameOfVariable, 'the name of an environment variable, such as SHOP_TOKEN')
