/** The operator's file of a measurement, with one executor. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Runs at once, of the worker and of the workspace. */
export const runsAtOnce = 20

/** Prints one result, and costs next to nothing: the shell that every system has. */
export const trivial = ['/bin/sh', '-c', `echo '{"type":"result","summary":"done"}'`]

/** Prints a milestone every `pause` ms, each with the time at which it was printed, and then a result. */
export function chatty(milestones: number, pause: number): string[] {
  const program = `
    let n = 0
    const timer = setInterval(() => {
      n += 1
      const milestone = { type: 'milestone', title: 'Step ' + n, data: { at: Date.now() } }
      process.stdout.write(JSON.stringify(n > ${milestones} ? { type: 'result', summary: 'done' } : milestone) + '\\n')
      if (n > ${milestones}) clearInterval(timer)
    }, ${pause})`
  return [process.execPath, '-e', program]
}

/** Writes the file into the folder. Returns the settings that name it. The policy allows every run. */
export function operatorFile(folder: string, command: readonly string[]): Record<string, string> {
  const file = join(folder, 'operator.yaml')
  const bench = { type: 'process', command, time_limit: '5m', repeatable: true, concurrency: runsAtOnce }
  // JSON is YAML too
  writeFileSync(file, JSON.stringify({ executors: { bench }, policy: { default: 'allow' } }))
  return { PRECEDENT_CONFIG: file, PRECEDENT_RUNS_PER_WORKSPACE: String(runsAtOnce) }
}
