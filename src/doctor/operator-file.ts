/** Checks what the operator's file names: programs, directories, secrets and addresses. Starts and calls nothing. */
import { constants } from 'node:fs'
import { access, mkdtemp, rmdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import type {
  ExecutorSettings,
  HttpExecutor,
  OperatorSettings,
  ProcessExecutor,
} from '../../config/operator/settings.ts'
import { executorEnvironment, programPath } from '../../config/programs.ts'
import type { Policy } from '../access/run-policy.ts'
import { type Finding, note, ok, wrong } from './finding.ts'

const what = 'PRECEDENT_CONFIG'

export async function* examineOperatorFile(settings: OperatorSettings): AsyncGenerator<Finding> {
  const { path, executors, policy, repositories } = settings
  if (path === undefined) {
    yield ok(what, 'not set; there are no executors, so no task can be run, and no repositories')
    return
  }
  yield ok(what, `${path} is valid, and has ${counted(executors.length, 'executor')}`)
  yield policyFinding(policy)
  if (policy !== undefined) yield* rulesWithoutExecutor(policy, executors)
  for (const one of executors) {
    if (one.type === 'http') yield httpFinding(one)
    else yield* examineProcess(one)
  }
  // imported only if used
  if (repositories) yield* (await import('./repositories.ts')).examineRepositories(repositories)
}

function policyFinding(policy: Policy | undefined): Finding {
  if (policy === undefined) return ok(what, 'it has no policy, so every run waits for an approval')
  return ok(what, `its policy has ${counted(policy.rules.length, 'rule')}, and the default ${policy.default}`)
}

function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

/** Another machine may have other executors, so this is no error. */
function* rulesWithoutExecutor({ rules }: Policy, executors: readonly ExecutorSettings[]): Generator<Finding> {
  const known = executors.map(({ name }) => name)
  for (const { name, when } of rules) {
    const missing = (when.executor ?? []).filter((one) => !known.includes(one))
    if (known.length === 0 || missing.length === 0) continue
    yield note(
      what,
      `the rule “${name}” names ${missing.join(', ')}, which is no executor of this file`,
      'Correct the name, unless another run worker has this executor.',
    )
  }
}

function httpFinding({ name, url }: HttpExecutor): Finding {
  const { protocol, host } = new URL(url)
  if (protocol === 'https:') return ok(what, `the executor ${name} is called at ${host}, over an encrypted connection`)
  return note(
    what,
    `the executor ${name} is called at ${host} without encryption: runs and the keys of their sessions can be read on the way`,
    'Use https://, or keep the network between private.',
  )
}

async function* examineProcess(one: ProcessExecutor): AsyncGenerator<Finding> {
  yield await directoryFinding(one)
  yield await commandFinding(one)
  const given = executorEnvironment(one.environment)
  const unset = one.environment.pass.filter((variable) => given[variable] === undefined)
  if (unset.length > 0) {
    yield note(
      what,
      `the executor ${one.name} is passed ${unset.join(', ')}, which ${unset.length === 1 ? 'is' : 'are'} not set here`,
      'Set it in the environment of the run worker, or remove it from `pass`.',
    )
  }
}

async function directoryFinding({ name, directory }: ProcessExecutor): Promise<Finding> {
  const place = directory ?? tmpdir()
  const found = await stat(place).catch(() => undefined)
  if (found === undefined) {
    return wrong(
      what,
      `the directory ${place} of the executor ${name} does not exist`,
      'Create it, or correct the path.',
    )
  }
  if (!found.isDirectory()) {
    return wrong(what, `${place}, the directory of the executor ${name}, is not a directory`, 'Name a directory.')
  }
  if (!(await isWritable(place))) {
    return wrong(
      what,
      `the directory ${place} of the executor ${name} is not writable`,
      'Make this user its owner, or name another directory.',
    )
  }
  return ok(what, `the executor ${name} runs in ${directory ?? `a temporary directory in ${place}`}`)
}

async function commandFinding(one: ProcessExecutor): Promise<Finding> {
  const [program] = one.command
  if (program.includes('/') && !isAbsolute(program) && one.directory === undefined) {
    return wrong(
      what,
      `the program ${program} of the executor ${one.name} can't be in a temporary directory`,
      'Write its absolute path, or set `directory`.',
    )
  }
  const places = placesOf(program, one)
  for (const place of places) {
    const isFile = await stat(place)
      .then((found) => found.isFile())
      .catch(() => false)
    if (isFile && (await isExecutable(place))) return ok(what, `the executor ${one.name} starts ${place}`)
  }
  const where = program.includes('/') ? places.join() : `${program} in PATH`
  return wrong(
    what,
    `the executor ${one.name} starts ${where}, which is missing or not executable`,
    'Install it, make it executable, or write its absolute path.',
  )
}

/** As the system looks for a program: a path is relative to the directory in which it runs. */
function placesOf(program: string, { directory, environment }: ProcessExecutor): string[] {
  if (isAbsolute(program)) return [program]
  if (program.includes('/')) return [join(directory ?? '/', program)]
  const path = environment.set.PATH ?? programPath()
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, program))
}

function isExecutable(program: string): Promise<boolean> {
  return access(program, constants.X_OK).then(
    () => true,
    () => false,
  )
}

/** Makes a folder and removes it: permissions alone do not tell, for example on a read-only disk. */
function isWritable(directory: string): Promise<boolean> {
  return mkdtemp(join(directory, '.doctor-'))
    .then((made) => rmdir(made))
    .then(
      () => true,
      () => false,
    )
}
