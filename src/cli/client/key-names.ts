/** Tells keys by their names. The service names a key that acts for no user by its id: `key:0199…`. */
import type { KeyResponse } from '../../access/keys.ts'
import { inLine } from '../terminal/terminal.ts'
import type { Client } from './client.ts'
import { unlessFailed } from './read-back.ts'

const keyUser = /\bkey:([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\b/g

/** Puts names in place of the ids in a text. If the key may not list keys, the text stays as it is. */
export function namingKeys(client: Client): (text: string) => Promise<string> {
  let names: Promise<ReadonlyMap<string, string>> | undefined
  return async (text) => {
    if (text.search(keyUser) < 0) return text
    names ??= namesOfKeys(client)
    const known = await names
    return text.replace(keyUser, (whole, id) => (known.has(id) ? `the key “${known.get(id)}”` : whole))
  }
}

async function namesOfKeys(client: Client): Promise<ReadonlyMap<string, string>> {
  const listed = await unlessFailed(client.call<{ items: KeyResponse[] }>({ method: 'GET', path: '/admin/keys' }))
  return new Map((listed?.items ?? []).map(({ id, name }) => [id, inLine(name)]))
}
