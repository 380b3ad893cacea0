/**
 * Finds out why git failed. The sentences are ours: what git prints may repeat what the remote sent, and that could be
 * anything, even a token.
 */
import { MirrorError, type MirrorTrouble } from '../../ports/mirrors.ts'

export interface Failure {
  code: number | null
  by: NodeJS.Signals | null
  /** What it printed on standard error. */
  said: string
}

/** The first that fits. The remote can choose which, but not what is said. */
const known: readonly (readonly [RegExp, MirrorTrouble, string])[] = [
  [/No space left on device|Disk quota exceeded/i, 'disk_full', 'the disk of the mirrors is full: free some space'],
  [
    /File too large|pack exceeds maximum|[Oo]ut of memory|unable to (m?alloc|create thread)|mmap failed/,
    'too_large',
    'the repository, or a file in it, needs more memory or disk than is allowed',
  ],
  [
    /returned error: 30\d/,
    'refused',
    'the remote redirects to another address, which is not followed: write the final address as url',
  ],
  [
    /transport '.*' not allowed|not allowed to use/i,
    'refused',
    'the remote needs a transport that is not allowed: use https, ssh or an absolute path',
  ],
  [
    /Host key verification failed/i,
    'refused',
    'the host key of the remote is not known: add it to known_hosts of the user of the service, after checking it',
  ],
  [
    /mismatched algorithms|unknown object format/i,
    'refused',
    'the repository uses an object format that this git does not know',
  ],
  [
    /could not read (Username|Password)|Authentication failed|returned error: 40[13]|Permission denied|denied to/i,
    'unauthorised',
    'the remote refuses access: check the token or the key, and that it may read this repository',
  ],
  [
    /repository '.*' not found|returned error: (404|410)|does not appear to be a git repository|Repository not found|dumb http transport/i,
    'not_found',
    'there is no repository at this url, or the token may not see it',
  ],
  [/couldn't find remote ref/i, 'branch_missing', 'the remote has no such branch'],
  [
    /unable to access|Could not resolve|Connection (refused|reset|timed out|closed)|Operation timed out|unexpectedly|early EOF|returned error: 5\d\d|Failed to connect|RPC failed|ssh: /i,
    'unreachable',
    'the remote does not answer: check the address and the network',
  ],
  [
    /bad (object|file|tree object)|not a tree object|unable to read|Not a valid object name|missing (blob|tree|commit)|is missing|not a git repository|could not (get|open|read) /i,
    'missing',
    'this is not in the mirror any more: fetch it again',
  ],
]

export function troubleOf({ code, by, said }: Failure): MirrorError {
  const found = known.find(([pattern]) => pattern.test(said))
  if (found !== undefined) return new MirrorError(found[1], found[2])
  // the shell says so
  if (code === 127) return new MirrorError('failed', 'git is not installed, or is not in PATH')
  return new MirrorError('failed', `git failed (${by ?? `exit code ${code}`})`)
}

/** An error of the file system. Its path tells nothing secret, but only its code says what to do. */
export function troubleOfFiles(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new MirrorError('disk_full', 'the disk of the mirrors is full: free some space')
  }
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') {
    return new MirrorError('failed', `the folder of the mirrors is not writable (${code}): make this user its owner`)
  }
  return error
}
