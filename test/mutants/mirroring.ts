/** Mutants of the mirrors of repositories (src/ports/mirrors.ts). */
import type { Mutant } from './mutant.ts'

const inGit = (name: string) => [`test/adapters/git/${name}.test.ts`]

const settings: readonly Mutant[] = [
  {
    rule: 'git: the file allows no other transports',
    file: 'src/adapters/git/settings.ts',
    find: '\tallow = never\n',
    replace: '\tallow = always\n',
    killedBy: inGit('hostile'),
  },
  {
    rule: 'git: the environment allows no other transports',
    file: 'src/adapters/git/settings.ts',
    find: "GIT_ALLOW_PROTOCOL: 'https:ssh:file',",
    replace: '',
    killedBy: inGit('hostile'),
  },
  {
    rule: 'git: a served path starts no program to fetch what it lacks',
    file: 'src/adapters/git/settings.ts',
    find: "GIT_NO_LAZY_FETCH: '1'",
    replace: "GIT_NO_LAZY_FETCH: '0'",
    killedBy: inGit('hostile'),
  },
  {
    rule: 'git: a path may belong to another user',
    file: 'src/adapters/git/settings.ts',
    find: '\tdirectory = *\n',
    replace: '',
    killedBy: inGit('hostile'),
  },
  {
    rule: 'git: redirects are not followed',
    file: 'src/adapters/git/settings.ts',
    find: '\tfollowRedirects = false\n',
    replace: '\tfollowRedirects = true\n',
    killedBy: inGit('https'),
  },
  {
    rule: 'git: certificates are checked',
    file: 'src/adapters/git/settings.ts',
    find: '\tsslVerify = true\n',
    replace: '\tsslVerify = false\n',
    killedBy: inGit('https'),
  },
]

const reading: readonly Mutant[] = [
  {
    rule: 'mirrors: names outside of the repository are left out',
    file: 'src/adapters/git/records.ts',
    find: 'return isUnsafe ? undefined : named',
    replace: 'return named',
    killedBy: inGit('hostile'),
  },
  {
    rule: 'mirrors: changes of names that shown names do not tell apart are not listed',
    file: 'src/adapters/git/changed.ts',
    find: "if (!named.isUtf8) return 'ambiguous'",
    replace: '',
    killedBy: inGit('hostile'),
  },
  {
    rule: 'mirrors: an error never repeats what the remote said',
    file: 'src/adapters/git/troubles.ts',
    find: 'return new MirrorError(found[1], found[2])',
    replace: 'return new MirrorError(found[1], said)',
    killedBy: inGit('https'),
  },
]

export const mirroring: readonly Mutant[] = [...settings, ...reading]
