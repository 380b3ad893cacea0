/** `precedent completion`: prints a script that completes commands and options in a shell. */
import type { Command } from 'commander'
import type { Act } from '../client/session.ts'
import { completionScript, type Shell, shells } from '../completion/scripts.ts'
import { nodesOf } from '../completion/tree.ts'
import { exitCodes } from '../terminal/failure.ts'

export function addCompletion(program: Command, act: Act): void {
  program
    .command('completion')
    .addArgument(program.createArgument('<shell>', 'the shell').choices(shells))
    .description('print a completion script for your shell; its first lines say how to load it')
    .action(
      act(async ({ terminal }, shell: Shell) => {
        terminal.print(completionScript(shell, nodesOf(program)).trimEnd())
        return exitCodes.ok
      }),
    )
}
