/** The commands, options and choices of the program, as the scripts for shells need them. */
import type { Command } from 'commander'

/** One command with what may follow it. */
export interface Node {
  /** Names from the program down, without the program: `['keys', 'create']`. */
  path: readonly string[]
  description: string
  commands: { name: string; description: string }[]
  options: { flag: string; description: string; takesValue: boolean; choices: readonly string[] }[]
  /** Values of its arguments, such as the kind of a worker. */
  choices: readonly string[]
}

/** The program first, then all commands below it. */
export function nodesOf(program: Command): Node[] {
  const common = program.options.flatMap(optionOf)
  return walk(program, []).map((node) =>
    node.path.length === 0 ? node : { ...node, options: [...node.options, ...common] },
  )
}

function walk(command: Command, path: readonly string[]): Node[] {
  const help = { flag: '--help', description: 'show help', takesValue: false, choices: [] }
  const node: Node = {
    path,
    description: command.description(),
    commands: command.commands.map((one) => ({ name: one.name(), description: one.description() })),
    options: [...command.options.flatMap(optionOf), help],
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  }
  return [node, ...command.commands.flatMap((one) => walk(one, [...path, one.name()]))]
}

function optionOf({ long, description, required, optional, argChoices }: Command['options'][number]): Node['options'] {
  if (!long) return []
  return [{ flag: long, description, takesValue: required || optional, choices: argChoices ?? [] }]
}
