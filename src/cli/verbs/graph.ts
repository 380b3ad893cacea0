/** `precedent graph`: shows what a decision superseded and what took its place. */
import type { Command } from 'commander'
import type { GraphOutput } from '../../decisions/graph.ts'
import { mermaidOf } from '../../decisions/mermaid.ts'
import { uuidPattern } from '../../ids.ts'
import { wholeNumber } from '../client/options.ts'
import type { Act, Session } from '../client/session.ts'
import { type ExitCode, exitCodes, usage } from '../terminal/failure.ts'
import { graphLines } from '../terminal/graph.ts'

interface GraphOptions {
  depth?: number
  direction?: string
  mermaid?: boolean
}

export function addGraph(program: Command, act: Act): void {
  program
    .command('graph')
    .argument('<id>', 'the id of a decision')
    .description('show what a decision superseded, and what took its place')
    .option('--depth <n>', 'most steps from the decision, 1 to 20 (default: 5)', wholeNumber(1, 20))
    .addOption(
      program
        .createOption('--direction <direction>', 'ancestors: what it superseded; descendants: what took its place')
        .choices(['ancestors', 'descendants', 'both']),
    )
    .option('--mermaid', 'print a Mermaid diagram')
    .action(act(graph))
}

async function graph({ client, terminal }: Session, id: string, options: GraphOptions): Promise<ExitCode> {
  if (!uuidPattern.test(id)) throw usage(`“${id}” is not the id of a decision.`, '`precedent decisions` shows ids.')
  const { depth, direction, mermaid } = options
  const wanted = new URLSearchParams({
    root: id,
    ...(depth === undefined ? {} : { depth: String(depth) }),
    ...(direction === undefined ? {} : { direction }),
  })
  const answer = await client().call<GraphOutput>({ method: 'GET', path: `/api/v2/decisions/graph?${wanted}` })
  if (terminal.json) terminal.printJson(answer)
  else {
    terminal.print(mermaid ? mermaidOf(answer) : graphLines(answer, terminal))
    if (answer.truncated) terminal.note('There are more decisions than these. Begin at one of them to see others.')
  }
  return exitCodes.ok
}
