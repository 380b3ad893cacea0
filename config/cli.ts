/** Settings of the command `precedent`: the url and key of the service, and the folder for its own state. */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

export interface CliSettings {
  /** As set; the client validates it. */
  url: string
  /** false: nobody named the url, and it is that of a service with default settings. */
  isUrlSet: boolean
  apiKey: string | undefined
  /** Absolute path of the folder for state that is kept between two runs. */
  stateDir: string
}

/** An empty variable counts as unset. */
export function cliSettings(variables: Readonly<Record<string, string | undefined>> = process.env): CliSettings {
  const { PRECEDENT_URL, PRECEDENT_API_KEY, XDG_STATE_HOME } = variables
  // XDG base directory specification: a relative path must be ignored
  const stateHome = XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(homedir(), '.local', 'state')
  const url = PRECEDENT_URL?.trim()
  return {
    url: url || 'http://127.0.0.1:4400',
    isUrlSet: Boolean(url),
    apiKey: PRECEDENT_API_KEY?.trim() || undefined,
    stateDir: join(stateHome, 'precedent'),
  }
}
