/** Addresses for people and programs to open. A service may listen on 0.0.0.0, but nobody can call that. */
import { isIPv6 } from 'node:net'

/** Forms of "all addresses of this machine" after URL has normalized them, and the address that reaches each from here. */
const everyAddress: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }

/** The URL of a service that listens on `host`, as this machine reaches it. */
export function urlOf(host: string, port: number): string {
  return `http://${everyAddress[normalized(host)] ?? bracketed(host)}:${port}`
}

/** Other machines may reach a service that listens on `host`: it takes every address of this one. */
export function isEveryAddress(host: string): boolean {
  return normalized(host) in everyAddress
}

/** `0`, `::0` and longer forms mean the same. */
function normalized(host: string): string {
  const url = `http://${bracketed(host)}`
  return URL.canParse(url) ? new URL(url).hostname : host
}

function bracketed(host: string): string {
  return isIPv6(host) ? `[${host}]` : host
}
