/** Completion scripts for bash, zsh and fish. They are made of the command tree, and never start the program. */
import type { Node } from './tree.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export function completionScript(shell: Shell, nodes: readonly Node[]): string {
  return { bash, zsh, fish }[shell](nodes)
}

/** If nothing matches, bash completes file names. */
function bash(nodes: readonly Node[]): string {
  return `# bash completion for precedent. To load it in each shell, add to ~/.bashrc:
#   source <(precedent completion bash)
_precedent() {
  local command='' word candidates
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
${descend(nodes)}
  done
${candidatesOf(nodes, '$3')}
  COMPREPLY=($(compgen -W "$candidates" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _precedent precedent
`
}

function zsh(nodes: readonly Node[]): string {
  return `#compdef precedent
# zsh completion for precedent. To load it in each shell, add to ~/.zshrc, after compinit:
#   source <(precedent completion zsh)
_precedent() {
  local command='' word candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
${descend(nodes)}
  done
${candidatesOf(nodes, '$words[CURRENT-1]')}
  compadd -- \${=candidates} || _files
}
compdef _precedent precedent
`
}

/** Follows the words that were typed down the tree. */
function descend(nodes: readonly Node[]): string {
  const paths = nodes.filter(({ path }) => path.length > 0).map(({ path }) => `'${joined(path)}'`)
  return `    case "$command/$word" in
      ${paths.join(' | ')}) command="$command/$word" ;;
    esac`
}

/** Choices of the option before the cursor, else what may follow the command. */
function candidatesOf(nodes: readonly Node[], before: string): string {
  const ofOptions = nodes.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ flag, choices }) => `    '${joined(path)} ${flag}') candidates='${choices.join(' ')}' ;;`),
  )
  const ofCommands = nodes.map(({ path, commands, options, choices }) => {
    const all = [...commands.map(({ name }) => name), ...choices, ...options.map(({ flag }) => flag)]
    return `      '${joined(path)}') candidates='${[...new Set(all)].join(' ')}' ;;`
  })
  return `  case "$command ${before}" in
${ofOptions.join('\n')}
    *) case "$command" in
${ofCommands.join('\n')}
    esac ;;
  esac`
}

function joined(path: readonly string[]): string {
  return path.map((name) => `/${name}`).join('')
}

function fish(nodes: readonly Node[]): string {
  const lines = nodes.flatMap((node) => [...commandsInFish(node), ...optionsInFish(node)])
  return `# fish completion for precedent. To load it in each shell:
#   precedent completion fish > ~/.config/fish/completions/precedent.fish
${lines.join('\n')}
`
}

function commandsInFish({ path, commands, choices }: Node): string[] {
  const names = commands.map(({ name }) => name)
  const none = names.length === 0 ? '' : `; and not __fish_seen_subcommand_from ${names.join(' ')}`
  const condition = path.length === 0 ? '__fish_use_subcommand' : `${seen(path)}${none}`
  return [
    ...commands.map(
      ({ name, description }) => `complete -c precedent -n '${condition}' -f -a ${name} -d ${quoted(description)}`,
    ),
    ...(choices.length > 0 ? [`complete -c precedent -n '${condition}' -f -a '${choices.join(' ')}'`] : []),
  ]
}

function optionsInFish({ path, options }: Node): string[] {
  const condition = path.length === 0 ? '' : ` -n '${seen(path)}'`
  return options.map(({ flag, description, takesValue, choices }) => {
    const value = choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : takesValue ? ' -r' : ''
    return `complete -c precedent${condition} -l ${flag.slice(2)}${value} -d ${quoted(description)}`
  })
}

function seen(path: readonly string[]): string {
  return path.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ')
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
