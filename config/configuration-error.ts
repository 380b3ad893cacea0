/**
 * Tells the operator what to change, in one sentence for each variable, or place of the operator's file. In a file of its own, so that the command can
 * start without loading the rest.
 */
export class ConfigurationError extends Error {
  readonly sentences: readonly string[]
  /** Those that are about the operator's file. */
  readonly inFile: readonly string[]

  constructor(inVariables: readonly string[], inFile: readonly string[] = []) {
    const sentences = [...inVariables, ...inFile]
    super(`The configuration is not valid.\n${sentences.map((sentence) => `  ${sentence}`).join('\n')}`)
    this.name = 'ConfigurationError'
    this.sentences = sentences
    this.inFile = inFile
  }
}
