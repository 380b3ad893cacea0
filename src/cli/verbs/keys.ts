/**
 * `precedent keys`: makes, lists and revokes keys over HTTP. In the store itself, recovers an admin key and rotates
 * the cursor key.
 */
import type { Command } from 'commander'
import { type Scope, scopes } from '../../access/actor.ts'
import type { KeyMade, KeyResponse } from '../../access/keys.ts'
import { ifFound } from '../client/if-allowed.ts'
import { noSuch } from '../client/no-such.ts'
import { endOfDay } from '../client/options.ts'
import type { Act, Session } from '../client/session.ts'
import { openStore } from '../client/store.ts'
import { type ExitCode, exitCodes, usage } from '../terminal/failure.ts'
import { plain, table } from '../terminal/terminal.ts'

interface CreateOptions {
  name: string
  scopes: Scope[]
  user?: string
  teams?: string[]
  workspace?: string
  expires?: string
}

export function addKeys(program: Command, act: Act): void {
  const keys = program.command('keys').description('manage the keys of agents and people')
  keys
    .command('create')
    .description('make a key and print its secret, which is shown only once')
    .requiredOption('--name <name>', 'what the key is for')
    .requiredOption('--scopes <list>', `comma-separated: ${scopes.join(', ')}`, scopesOf)
    .option('--user <id>', 'the user that the key acts for; it sees the private records of this user')
    .option('--teams <list>', 'comma-separated UUIDs of the teams whose records it sees', listOf)
    .option('--workspace <id>', 'workspace of the new key (default: the workspace of your key)')
    .option(
      '--expires <date>',
      'the end of its validity: a day such as 2030-01-31 (included) or an instant such as 2030-01-31T12:00:00Z',
      endOfDay,
    )
    .action(act(create))
  keys.command('list').description('list all keys of the workspace, newest first').action(act(list))
  keys
    .command('revoke')
    .argument('<id>', 'the id of the key; `precedent keys list` shows it')
    .description('revoke a key; it stops working within 5 seconds')
    .action(act(revoke))
  keys
    .command('recover')
    .description('make an admin key without having one; run this on the machine of the service, with its settings')
    .action(act(recoverKey))
  keys
    .command('rotate-cursors')
    .description('make a new key for sealing cursors; run this on the machine of the service, with its settings')
    .action(act(rotateCursors))
}

async function create(session: Session, options: CreateOptions): Promise<ExitCode> {
  const { expires, ...rest } = options
  const body = { ...rest, ...(expires === undefined ? {} : { expires_at: expires }) }
  const made = await session.client().call<KeyMade>({ method: 'POST', path: '/admin/keys', body })
  if (session.terminal.json) session.terminal.printJson(made)
  else {
    // only the secret goes to standard output, so that KEY=$(precedent keys create ...) works
    session.terminal.note(`Created key ${made.id} (${plain(made.name)}). Its secret is shown only now:`)
    session.terminal.print(made.key)
  }
  return exitCodes.ok
}

async function list({ client, terminal }: Session): Promise<ExitCode> {
  const { items } = await client().call<{ items: KeyResponse[] }>({ method: 'GET', path: '/admin/keys' })
  if (terminal.json) terminal.printJson({ items })
  else terminal.print(table([['ID', 'NAME', 'USER', 'SCOPES', 'STATE', 'LAST USED'], ...items.map(rowOf)]))
  return exitCodes.ok
}

function rowOf(key: KeyResponse): string[] {
  const expired = key.expires_at !== null && key.expires_at <= new Date().toISOString()
  const until = key.expires_at === null ? 'in force' : `until ${key.expires_at.slice(0, 10)}`
  const state = key.revoked_at !== null ? 'revoked' : expired ? 'expired' : until
  const used = key.last_used_at === null ? 'never' : `${key.last_used_at.slice(0, 16).replace('T', ' ')} UTC`
  return [key.id, plain(key.name), key.user ?? '-', key.scopes.join(','), state, used]
}

async function revoke({ client, terminal }: Session, id: string): Promise<ExitCode> {
  const path = `/admin/keys/${encodeURIComponent(id)}`
  const isRevoked = await ifFound(
    client()
      .call({ method: 'DELETE', path })
      .then(() => true),
  )
  if (!isRevoked) throw noSuch('key', id)
  if (terminal.json) terminal.printJson({ id, revoked: true })
  else terminal.print(`Revoked key ${id}. It stops working within 5 seconds.`)
  return exitCodes.ok
}

/** Safe while the service runs: the store accepts an insert of a second process. */
async function recoverKey({ terminal }: Session): Promise<ExitCode> {
  const { recover } = await import('../../access/bootstrap.ts')
  const { documents, clock, where, close } = await openStore('the first start prints an admin key')
  try {
    const made = await recover(documents, clock)
    if (terminal.json) terminal.printJson({ id: made.id, key: made.secret })
    else {
      terminal.note(`Created admin key ${made.id} in ${where}. Its secret is shown only now:`)
      terminal.print(made.secret)
    }
    return exitCodes.ok
  } finally {
    await close()
  }
}

/** Safe while the service runs: every process reads the new key before any process uses it. */
async function rotateCursors({ terminal }: Session): Promise<ExitCode> {
  const { rotateCursorKey } = await import('../../access/cursors.ts')
  const { documents, clock, where, close } = await openStore('the first start creates the store')
  try {
    await rotateCursorKey(documents, clock)
    if (terminal.json) terminal.printJson({ rotated: true })
    else
      terminal.print(
        `Created a new cursor key in ${where}. The service uses it in one minute. Cursors made before then stay valid until the next rotation.`,
      )
    return exitCodes.ok
  } finally {
    await close()
  }
}

function listOf(text: string): string[] {
  const all = text.split(',').map((one) => one.trim())
  if (all.includes('')) throw usage(`“${text}” has an empty item.`, 'Separate the items by single commas.')
  return all
}

function scopesOf(text: string): Scope[] {
  const unknown = listOf(text).find((one) => !(scopes as readonly string[]).includes(one))
  if (unknown !== undefined) throw usage(`“${unknown}” is not a scope.`, `The scopes are ${scopes.join(', ')}.`)
  return listOf(text) as Scope[]
}
