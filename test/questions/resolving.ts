/** Helpers for tests of questions over HTTP: write records, read their questions, answer them. */

import type { Scope } from '../../src/access/actor.ts'
import type { OpenQuestion } from '../../src/questions/schema.ts'
import { type Answer, type Body, type Serving, send, write } from '../http/serving.ts'

export const both: Scope[] = ['context:read', 'context:write']
export const team = '11111111-1111-7111-8111-111111111111'
const wait = { prefer: 'wait=20' }

export interface Person {
  url: string
  key: string
}

export async function person(serving: Serving, user: string, teams: string[] = []): Promise<Person> {
  return { url: serving.url, key: await serving.key(both, { user, teams }) }
}

/** Writes and returns the receipt; throws unless it was applied. */
export async function applied({ url, key }: Person, path: string, body: object, headers = {}): Promise<Body> {
  const answer = await write(url, path, { key, body, headers: { ...wait, ...headers } })
  if (answer.body.state !== 'applied') throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

export async function remembered(who: Person, content: string, more: object = {}): Promise<string> {
  return (await applied(who, '/v1/context/memories', { kind: 'fact', content, ...more })).entity.id
}

export async function decided(who: Person, title: string, judgment: string, more: object = {}): Promise<string> {
  return (await applied(who, '/v1/decisions', { title, judgment, ...more })).entity.id
}

export async function search({ url, key }: Person, body: object): Promise<Body> {
  const answer = await send(url, 'POST', '/v1/context/search', { key, body })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body
}

/** The open questions about a record. */
export async function asked(who: Person, type: string, id: string): Promise<OpenQuestion[]> {
  return (await search(who, { references: [{ type, id }] })).open_questions
}

export async function onlyAsked(who: Person, type: string, id: string): Promise<OpenQuestion> {
  const found = await asked(who, type, id)
  if (found.length !== 1) throw new Error(`${found.length} questions: ${JSON.stringify(found)}`)
  return found[0] as OpenQuestion
}

/** Repeats `look` until it succeeds, because comparing runs after the write was applied. */
export async function eventually<T>(look: () => Promise<T>): Promise<T> {
  for (let times = 1; ; times++) {
    try {
      return await look()
    } catch (error) {
      if (times === 200) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

export function answering({ url, key }: Person, body: object, headers = {}): Promise<Answer> {
  return write(url, '/v1/context/resolve', { key, body, headers: { ...wait, ...headers } })
}

export async function memory({ url, key }: Person, id: string): Promise<Body> {
  return (await send(url, 'GET', `/v1/context/memories/${id}`, { key })).body
}

export async function decision({ url, key }: Person, id: string): Promise<Body> {
  return (await send(url, 'GET', `/v1/decisions/${id}`, { key })).body
}

/** The change that sync reports for a record. */
export async function changeOf({ url, key }: Person, id: string): Promise<Body> {
  const { body } = await send(url, 'POST', '/v1/context/sync', { key, body: { limit: 200 } })
  return [...body.changes.knowledge, ...body.changes.decisions].find((one: Body) => one.id === id)
}
