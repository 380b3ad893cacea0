/**
 * What git may do, whatever a repository, a remote or this machine configures. The file takes the place of the user's
 * configuration, and the system's is not read. The environment has nothing else of this process.
 */
import { createHash } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The oldest version that these settings were tried with. Git before 2.32 ignores the file, and would be unsafe. */
export const oldestGit = [2, 39] as const

/** Names with the reason of each, in the order of the file. */
const configuration = `
[protocol]
	# no helpers such as ext::, no git:// and no http:// (GIT_ALLOW_PROTOCOL says the same to the remote side)
	allow = never
	version = 2
[protocol "https"]
	allow = always
[protocol "ssh"]
	allow = always
[protocol "file"]
	allow = always
[core]
	# no hook runs, not even one of a template
	hooksPath = /dev/null
	# no attributes of the user: they could name filters
	attributesFile = /dev/null
	excludesFile = /dev/null
	# no monitor program
	fsmonitor = false
	# larger blobs are streamed, not held in memory
	bigFileThreshold = 1m
	packedGitWindowSize = 32m
	packedGitLimit = 256m
	deltaBaseCacheLimit = 32m
[credential]
	# no program is asked for a password: an empty name clears the list
	helper =
[http]
	# a redirect could lead to another host, with the token
	followRedirects = false
	sslVerify = true
	# no proxy, and no cookies
	proxy =
	cookieFile =
	# bytes a second over 30 s: a stalled transfer ends, even if its service has died
	lowSpeedLimit = 100
	lowSpeedTime = 30
[fetch]
	recurseSubmodules = false
	# always a pack, so that what was fetched is moved as a whole
	unpackLimit = 1
	writeCommitGraph = false
[transfer]
	# the remote may not name further places to download from
	bundleURI = false
	credentialsInUrl = die
[submodule]
	recurse = false
[gc]
	# old commits stay readable until the service removes them
	auto = 0
	autoDetach = false
[maintenance]
	auto = false
[pack]
	# one processor, and bounded memory
	threads = 1
	windowMemory = 64m
[init]
	# no files from a template folder of this machine
	templateDir =
[safe]
	# a path may belong to another user. It stands here, because -c does not reach the process that serves the path
	directory = *
[ssh]
	variant = ssh
`

/** Commands that ssh may not be talked into, and no question to a person. */
const sshCommand = [
  'ssh',
  '-oBatchMode=yes',
  '-oStrictHostKeyChecking=yes',
  '-oForwardAgent=no',
  '-oClearAllForwardings=yes',
  '-oPermitLocalCommand=no',
  '-oConnectTimeout=15',
  '-oServerAliveInterval=15',
  '-oServerAliveCountMax=4',
].join(' ')

/** Variables of this machine that git gets. */
export interface MachineVariables {
  PATH: string
  /** The agent that has the keys for ssh. */
  SSH_AUTH_SOCK?: string
  /** A file of further certificates to trust, as git defines it. */
  GIT_SSL_CAINFO?: string
}

/** Writes the configuration below `root`, and returns its path. Its name has its hash: two versions of it may be in use. */
export async function writeConfiguration(root: string): Promise<string> {
  const hash = createHash('sha256').update(configuration).digest('hex').slice(0, 16)
  const path = join(root, `gitconfig-${hash}`)
  const written = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`
  try {
    await writeFile(written, configuration, { mode: 0o600 })
    await rename(written, path)
  } finally {
    await rm(written, { force: true })
  }
  return path
}

/** The whole environment of git, except GIT_DIR and a token. */
export function gitEnvironment(configPath: string, machine: MachineVariables): Record<string, string> {
  return {
    ...machine,
    LC_ALL: 'C',
    // no .netrc and no other file of a user. ssh asks the system for the home of its user
    HOME: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: configPath,
    GIT_ATTR_NOSYSTEM: '1',
    // a repository can't override it, as it can override a file
    GIT_ALLOW_PROTOCOL: 'https:ssh:file',
    // a served path with missing objects could name a program that fetches them
    GIT_NO_LAZY_FETCH: '1',
    GIT_SSH_COMMAND: sshCommand,
    GIT_SSH_VARIANT: 'ssh',
    // nobody is there to answer
    GIT_TERMINAL_PROMPT: '0',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_OPTIONAL_LOCKS: '0',
  }
}

/**
 * The token, for its own host only. As a variable, because other users of the machine can read the arguments of a
 * process, but not its environment.
 */
export function tokenVariables(url: string, token: string | undefined): Record<string, string> {
  if (token === undefined || !url.startsWith('https://')) return {}
  // hosts take any user beside a token
  const pair = token.includes(':') ? token : `x-access-token:${token}`
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${new URL(url).origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${Buffer.from(pair).toString('base64')}`,
  }
}
