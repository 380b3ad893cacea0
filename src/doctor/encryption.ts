/** Notes that records leave the machine over plain HTTP. */
import { type Finding, note } from './finding.ts'

const local = ['127.0.0.1', '[::1]', 'localhost']

/** `what`: the setting with the URL. `name`: what is there, such as “embedder”. undefined: encrypted, or on this machine. */
export function plainHttpNote(what: string, url: string, name: string): Finding | undefined {
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'http:' || local.includes(hostname)) return undefined
  return note(
    what,
    `records are sent to ${hostname} without encryption`,
    `Use https://, or run the ${name} inside your own network.`,
  )
}
