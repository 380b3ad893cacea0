/**
 * Builds the decision for `decide` and `supersede` from options, from a JSON object, or from both: options override
 * the object.
 */
import type { Command } from 'commander'
import { categories, decisionStatuses, significances, surfaces } from '../../decisions/input.ts'
import type { Visibility } from '../../records/audience.ts'
import { usage } from '../terminal/failure.ts'
import { fromStandardInput, standardInput, textFrom, textOfFile } from './input.ts'
import { anyText, jsonObject, repeated, source, sourceForms, startOfDay, visibility } from './options.ts'
import type { Session } from './session.ts'
import { addWriteOptions, type WriteOptions } from './write.ts'

export interface DecisionOptions extends WriteOptions {
  judgment?: string
  context?: string
  rationale?: string
  consequences?: string
  status?: string
  supersedes?: string[]
  reason?: string
  externalId?: string
  decidedAt?: string
  by?: string[]
  category?: string
  significance?: string
  surface?: string
  visibility?: Visibility
  source?: object[]
  file?: string
}

export function addDecisionOptions(command: Command): Command {
  const choice = (flags: string, description: string, choices: readonly string[]) =>
    command.createOption(flags, description).choices(choices)
  command
    .option('--judgment <text>', 'what was decided; for this and the other texts, - reads standard input')
    .option('--context <text>', 'the situation in which it was decided')
    .option('--rationale <text>', 'why it was decided')
    .option('--consequences <text>', 'what follows from it')
    .addOption(choice('--status <status>', 'default: accepted', decisionStatuses))
    .option('--supersedes <id>', 'id or external id of a decision that it replaces; may be repeated', repeated(anyText))
    .option('--reason <text>', 'why it replaces them')
    .option('--external-id <id>', 'its id in another system; a decision with the same external id gets a new revision')
    .option('--decided-at <date>', 'start of its validity: a day or an instant (default: now)', startOfDay)
    .option('--by <name>', 'who decided it; may be repeated', repeated(anyText))
    .addOption(choice('--category <category>', 'category of the decision', categories))
    .addOption(choice('--significance <significance>', 'significance of the decision', significances))
    .addOption(choice('--surface <surface>', 'where it was decided', surfaces))
    .option('--visibility <scope>', 'who can see it: workspace, private or team:UUID', visibility)
    .option('--source <source>', `where it comes from: ${sourceForms}`, repeated(source))
    .option(
      '--file <file>',
      'JSON file with the fields of POST /v1/decisions (- for standard input); options override it',
    )
  return addWriteOptions(command)
}

/** The body of POST /v1/decisions. If `title` is `-`, the decision is JSON on standard input. */
export async function decisionFrom(
  session: Session,
  title: string | undefined,
  options: DecisionOptions,
): Promise<Record<string, unknown>> {
  const texts = ['judgment', 'context', 'rationale', 'consequences', 'reason'] as const
  const readers = [title, options.file, ...texts.map((name) => options[name])].filter((one) => one === standardInput)
  if (readers.length > 1) throw usage('Standard input can be used only once.')
  const given = await objectFrom(session, title, options.file)
  const fields: Record<string, unknown> = {
    title: title === standardInput ? undefined : title,
    status: options.status,
    supersedes: options.supersedes,
    external_id: options.externalId,
    decided_at: options.decidedAt,
    decided_by: options.by,
    category: options.category,
    significance: options.significance,
    surface: options.surface,
    visibility: options.visibility,
    sources: options.source,
  }
  for (const name of texts) {
    const text = options[name]
    const field = name === 'reason' ? 'supersession_reason' : name
    if (text !== undefined) fields[field] = await textFrom(session, text, `--${name}`)
  }
  const set = Object.entries(fields).filter(([, value]) => value !== undefined)
  const body = { ...given, ...Object.fromEntries(set) }
  if (body.title === undefined)
    throw usage('A decision needs a title.', 'Example: precedent decide "TITLE" --judgment "WHAT WAS DECIDED"')
  if (body.judgment === undefined) throw usage('A decision needs a judgment.', 'Add --judgment "WHAT WAS DECIDED".')
  return body
}

async function objectFrom(session: Session, title: string | undefined, file: string | undefined) {
  if (title === standardInput && file !== undefined)
    throw usage('The decision is given twice: as - and with --file.', 'Leave out one of them.')
  if (title === standardInput || file === standardInput) {
    return jsonObject(await fromStandardInput(session), 'Standard input')
  }
  return file === undefined ? {} : jsonObject(await textOfFile(file), file)
}
