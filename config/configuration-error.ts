/**
 * Tells the operator what to change, in one sentence for each variable. In a file of its own, so that the command can
 * start without loading the rest.
 */
export class ConfigurationError extends Error {
  readonly sentences: readonly string[]

  constructor(sentences: readonly string[]) {
    super(`The configuration is not valid.\n${sentences.map((sentence) => `  ${sentence}`).join('\n')}`)
    this.name = 'ConfigurationError'
    this.sentences = sentences
  }
}
