/** Calls a service under test with JSON. */
export interface Answer<Body = Record<string, unknown>> {
  status: number
  headers: Headers
  body: Body
}

export interface Caller {
  url: string
  key: string
}

export async function call<Body = Record<string, unknown>>(
  { url, key }: Caller,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<Body>> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: (text === '' ? {} : JSON.parse(text)) as Body }
}

export interface ReceiptBody {
  receipt_id: string
  state: string
  entity?: { id: string }
  error?: { code: string; message: string }
}

/** A POST with an idempotency key. */
export function write(caller: Caller, path: string, key: string, body: unknown): Promise<Answer<ReceiptBody>> {
  return call<ReceiptBody>(caller, 'POST', path, body, { 'idempotency-key': key })
}

/** A POST; returns the receipt after it has ended. */
export async function applied(caller: Caller, path: string, key: string, body: unknown): Promise<ReceiptBody> {
  const answer = await call<ReceiptBody>(caller, 'POST', path, body, { 'idempotency-key': key, prefer: 'wait=30' })
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

export interface ChangeBody {
  id: string
  title: string
  change_type: string
}

/** All changes in sync from the start. */
export async function syncAll(caller: Caller): Promise<ChangeBody[]> {
  const all: ChangeBody[] = []
  let cursor: string | undefined
  for (;;) {
    const { status, body } = await call<{
      cursor: string
      has_more: boolean
      changes: Record<'knowledge' | 'decisions' | 'work', ChangeBody[]>
    }>(caller, 'POST', '/v1/context/sync', { limit: 200, ...(cursor === undefined ? {} : { cursor }) })
    if (status !== 200) throw new Error(`sync: ${status} ${JSON.stringify(body)}`)
    all.push(...body.changes.knowledge, ...body.changes.decisions, ...body.changes.work)
    cursor = body.cursor
    if (!body.has_more) return all
  }
}
