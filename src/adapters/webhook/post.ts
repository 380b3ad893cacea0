/** Sends signed requests to servers of the operator, after Standard Webhooks (https://www.standardwebhooks.com). */
import { createHmac } from 'node:crypto'
import http, { type ClientRequest } from 'node:http'
import https from 'node:https'
import { version } from '../../version.ts'

export interface Receiver {
  /** https, or http to a host that the operator has listed. The configuration is checked for it. */
  url: string
  /** `whsec_` and the base64 of the key. */
  secret: string
}

export interface Message {
  /** The receiver tells repeats by it. */
  id: string
  /** JSON. */
  body: string
}

const agentName = `Precedent/${version()}`
const secretPrefix = 'whsec_'

/** `now`: ms since the epoch. Redirects are not followed. */
export function post({ url, secret }: Receiver, { id, body }: Message, now: number, accept: string): ClientRequest {
  const target = new URL(url)
  const timestamp = String(Math.floor(now / 1000))
  const { request } = target.protocol === 'https:' ? https : http
  const sent = request(target, {
    method: 'POST',
    // a connection of its own. The agent that all requests share may take a proxy from the environment
    agent: false,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      accept,
      'accept-encoding': 'identity',
      'user-agent': agentName,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatureOf(secret, `${id}.${timestamp}.${body}`),
    },
  })
  sent.end(body)
  return sent
}

function signatureOf(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

/** Why a status means failure, in words that hold nothing else of the response. undefined: it is 2xx. */
export function refusalOf(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  const redirects = status >= 300 && status < 400
  return `The receiver answered ${status}${redirects ? ': it redirects, and redirects are not followed' : ''}.`
}

/** Messages of errors may quote the other side, so only their code is shown. */
export function failureOf({ code }: NodeJS.ErrnoException): string {
  const shown = code === undefined ? '' : ` (${code})`
  if (code?.startsWith('HPE_')) return `The receiver answered with something that is not HTTP${shown}.`
  if (code !== undefined && /CERT|TLS|SSL|SIGNATURE|CRL|EPROTO/.test(code)) return `TLS failed${shown}.`
  return `The connection to the receiver failed${shown}.`
}
