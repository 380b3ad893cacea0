/** The environment of the command `precedent`: where the service is, by which key, and where its own state is kept. */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

export interface CliSettings {
  /** As it was set; the client checks it. */
  url: string
  apiKey: string | undefined
  /** Folder of what the command remembers between two runs. Absolute. */
  stateDir: string
}

/** A variable that is set to nothing counts as not set. */
export function cliSettings(variables: Readonly<Record<string, string | undefined>> = process.env): CliSettings {
  const { PRECEDENT_URL, PRECEDENT_API_KEY, XDG_STATE_HOME } = variables
  // the XDG base directory specification: a path that is not absolute is ignored
  const stateHome = XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(homedir(), '.local', 'state')
  return {
    url: PRECEDENT_URL?.trim() || 'http://127.0.0.1:4400',
    apiKey: PRECEDENT_API_KEY?.trim() || undefined,
    stateDir: join(stateHome, 'precedent'),
  }
}
