/** `precedent keys`: makes, lists and revokes keys over HTTP; makes a new admin key where all are lost. */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { type Scope, scopes } from '../../access/actor.ts'
import type { KeyMade, KeyShown } from '../../access/keys.ts'
import { type ExitCode, exitCodes, Failure, usage } from '../failure.ts'
import { until } from '../options.ts'
import type { Act, Session } from '../session.ts'
import { plain, table } from '../terminal.ts'

interface CreateOptions {
  name: string
  scopes: Scope[]
  user?: string
  teams?: string[]
  workspace?: string
  expires?: string
}

export function addKeys(program: Command, act: Act): void {
  const keys = program.command('keys').description('the keys by which agents and people call the service')
  keys
    .command('create')
    .description('make a key and print its secret, once')
    .requiredOption('--name <name>', 'what the key is for')
    .requiredOption('--scopes <list>', `comma-separated: ${scopes.join(', ')}`, scopesOf)
    .option('--user <id>', 'whom it acts as: it sees what is private to this user')
    .option('--teams <list>', 'comma-separated uuids of the teams whose records it sees', listOf)
    .option('--workspace <id>', 'another workspace than the own one')
    .option('--expires <date>', 'a day such as 2030-01-31 or an instant such as 2030-01-31T12:00:00Z', until)
    .action(act(create))
  keys.command('list').description('all keys of the workspace, newest first').action(act(list))
  keys
    .command('revoke')
    .argument('<id>', 'as `keys list` shows it')
    .description('end a key, within 5 seconds')
    .action(act(revoke))
  keys
    .command('recover')
    .description('make an admin key in the store itself: on the machine of the service, with its settings')
    .action(act(recoverKey))
}

async function create(session: Session, options: CreateOptions): Promise<ExitCode> {
  const { expires, ...rest } = options
  const body = { ...rest, ...(expires === undefined ? {} : { expires_at: expires }) }
  const made = await session.client().call<KeyMade>({ method: 'POST', path: '/admin/keys', body })
  if (session.terminal.json) session.terminal.printJson(made)
  else {
    // the secret alone on standard output: KEY=$(precedent keys create ...)
    session.terminal.note(`Key ${made.id} (${plain(made.name)}) is made. This is its secret; it is shown only now:`)
    session.terminal.print(made.key)
  }
  return exitCodes.ok
}

async function list({ client, terminal }: Session): Promise<ExitCode> {
  const { items } = await client().call<{ items: KeyShown[] }>({ method: 'GET', path: '/admin/keys' })
  if (terminal.json) terminal.printJson({ items })
  else terminal.print(table([['ID', 'NAME', 'USER', 'SCOPES', 'STATE', 'LAST USED'], ...items.map(rowOf)]))
  return exitCodes.ok
}

function rowOf(key: KeyShown): string[] {
  const expired = key.expires_at !== null && key.expires_at <= new Date().toISOString()
  const until = key.expires_at === null ? 'in force' : `until ${key.expires_at.slice(0, 10)}`
  const state = key.revoked_at !== null ? 'revoked' : expired ? 'expired' : until
  const used = key.last_used_at === null ? 'never' : `${key.last_used_at.slice(0, 16).replace('T', ' ')} UTC`
  return [key.id, plain(key.name), key.user ?? '-', key.scopes.join(','), state, used]
}

async function revoke({ client, terminal }: Session, id: string): Promise<ExitCode> {
  await client().call({ method: 'DELETE', path: `/admin/keys/${encodeURIComponent(id)}` })
  if (terminal.json) terminal.printJson({ id, revoked: true })
  else terminal.print(`Key ${id} is revoked: it is refused everywhere within 5 seconds.`)
  return exitCodes.ok
}

/** Works beside a running service too: the store takes one more writer for one insert. */
async function recoverKey({ terminal }: Session): Promise<ExitCode> {
  const { load } = await import('../../../config/load.ts')
  const { fileIn, openDocuments } = await import('../../engines.ts')
  const { recover } = await import('../../access/bootstrap.ts')
  const config = load()
  if (config.engines.mongodb === undefined && !existsSync(fileIn(config.dataDir))) {
    throw new Failure('failed', 'no_store', `There is no store in ${config.dataDir}.`, {
      remedy: 'Set PRECEDENT_DATA_DIR to the folder that the service uses, or start the service: it prints a key.',
    })
  }
  const { documents, clock, close } = await openDocuments(config)
  try {
    const made = await recover(documents, clock)
    if (terminal.json) terminal.printJson({ id: made.id, key: made.secret })
    else {
      const where = config.engines.mongodb === undefined ? config.dataDir : 'the store that MONGODB_URL names'
      terminal.note(`Admin key ${made.id} is made in ${where}. This is its secret; it is shown only now:`)
      terminal.print(made.secret)
    }
    return exitCodes.ok
  } finally {
    await close()
  }
}

function listOf(text: string): string[] {
  const all = text.split(',').map((one) => one.trim())
  if (all.includes('')) throw usage(`“${text}” has an empty place.`, 'Separate by single commas.')
  return all
}

function scopesOf(text: string): Scope[] {
  const unknown = listOf(text).find((one) => !(scopes as readonly string[]).includes(one))
  if (unknown !== undefined) throw usage(`There is no scope ${unknown}.`, `There are ${scopes.join(', ')}.`)
  return listOf(text) as Scope[]
}
