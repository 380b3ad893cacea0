/** Recognises the placeholders of a template. */
import { plainText } from './document/markdown.ts'

/** A placeholder of a template that was not filled in. */
export function isPlaceholder(source: string): boolean {
  const text = plainText(source)
    .replace(/^["']|["']$/g, '')
    .trim()
  // `proposed | accepted | rejected`
  if (markedChoice(source) === undefined && (text.match(/\s\|\s/g)?.length ?? 0) > 1) return true
  return (
    /^(?:\[[^\]]*(?:\||…|\.\.\.|\s\w+\s\w+)[^\]]*\]|\{[^}]*(?:\||…|\.\.\.|\s\w+\s\w+\s)[^}]*\}|<[^>]+>)(?:\s|$)/su.test(
      text,
    ) || /\bYYYY\b|\bJJJJ\b|\bAAAA\b|\bdd([/.-])mm\1yy/.test(text)
  )
}

/** The choice in bold, if it is the only one: `proposed | **accepted** | rejected`. */
export function markedChoice(source: string): string | undefined {
  const choices = source.split('|').map((choice) => choice.trim())
  const marked = choices.filter((choice) => /^(\*\*|__)[^*_]+\1$/.test(choice))
  return choices.length > 2 && marked.length === 1 ? marked[0] : undefined
}

/** The sentences of the template of adr-tools. */
const ofTemplate =
  /^(?:The issue motivating this decision, and any context that influences or constrains the decision|The change that we['’]re proposing or have agreed to implement|What becomes easier or more difficult to do and any risks introduced by the change that will need to be mitigated)\.$/

/** A placeholder of a template, such as `{describe the outcome}`, that nobody filled in. */
export function isUnfilled(body: string): boolean {
  if (ofTemplate.test(body.trim())) return true
  if (!/\{[^{}]*\s[^{}]*\s/.test(body)) return false
  // twice, because a placeholder may contain another
  const filled = body.replace(/\{[^{}]*\}/g, '').replace(/\{[^{}]*\}/g, '')
  return filled.length < body.length * 0.5 && filled.replace(/[^\p{L}]/gu, '').length < 80
}
