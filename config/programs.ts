/** Environment variables for the programs that the service starts. */
import type { ProcessExecutor } from './operator/settings.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** The search path for programs. */
export function programPath(variables: Variables = process.env): string {
  return variables.PATH ?? '/usr/local/bin:/usr/bin:/bin'
}

/** What git gets of the environment of the service (src/adapters/git/settings.ts). */
export function gitVariables(variables: Variables = process.env): {
  PATH: string
  SSH_AUTH_SOCK?: string
  GIT_SSL_CAINFO?: string
} {
  const { SSH_AUTH_SOCK, GIT_SSL_CAINFO } = variables
  return {
    PATH: programPath(variables),
    ...(SSH_AUTH_SOCK ? { SSH_AUTH_SOCK } : {}),
    ...(GIT_SSL_CAINFO ? { GIT_SSL_CAINFO } : {}),
  }
}

/** What the operator's file gives to the program of an executor: passed variables that are set, and fixed ones. */
export function executorEnvironment(
  { pass, set }: ProcessExecutor['environment'],
  variables: Variables = process.env,
): Record<string, string> {
  const passed = pass.flatMap((name) => {
    const value = variables[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(passed), ...set }
}
