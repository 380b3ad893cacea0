/** `precedent keys`: makes, lists and revokes keys over HTTP; makes a new admin key where all are lost. */
import type { Command } from 'commander'
import { reservedScopes, type Scope, scopes } from '../../access/actor.ts'
import type { KeyMade, KeyShown } from '../../access/keys.ts'
import { type ExitCode, exitCodes, usage } from '../failure.ts'
import { until } from '../options.ts'
import type { Act, Session } from '../session.ts'
import { openStore } from '../store.ts'
import { plain, table } from '../terminal.ts'

interface CreateOptions {
  name: string
  scopes: Scope[]
  user?: string
  teams?: string[]
  workspace?: string
  expires?: string
}

const scopesToday = `${scopes.filter((scope) => !reservedScopes.includes(scope)).join(', ')} (reserved for later versions: ${reservedScopes.join(', ')})`

export function addKeys(program: Command, act: Act): void {
  const keys = program.command('keys').description('the keys by which agents and people call the service')
  keys
    .command('create')
    .description('make a key and print its secret, once')
    .requiredOption('--name <name>', 'what the key is for')
    .requiredOption('--scopes <list>', `comma-separated: ${scopesToday}`, scopesOf)
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
  keys
    .command('rotate-cursors')
    .description('seal cursors with a new key: on the machine of the service, with its settings')
    .action(act(rotateCursors))
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
  const { recover } = await import('../../access/bootstrap.ts')
  const { documents, clock, where, close } = await openStore('it prints a key')
  try {
    const made = await recover(documents, clock)
    if (terminal.json) terminal.printJson({ id: made.id, key: made.secret })
    else {
      terminal.note(`Admin key ${made.id} is made in ${where}. This is its secret; it is shown only now:`)
      terminal.print(made.secret)
    }
    return exitCodes.ok
  } finally {
    await close()
  }
}

/** Beside a running service: its processes learn of the key before anything is sealed with it. */
async function rotateCursors({ terminal }: Session): Promise<ExitCode> {
  const { rotateCursorKey } = await import('../../access/cursors.ts')
  const { documents, clock, where, close } = await openStore('it makes one')
  try {
    await rotateCursorKey(documents, clock)
    if (terminal.json) terminal.printJson({ rotated: true })
    else terminal.print(`Cursors have a new key in ${where}. Those made until now are good until it is changed again.`)
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
