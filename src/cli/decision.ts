/** A decision from the arguments of `decide` and `supersede`: from options, or an object of JSON that they add to. */
import type { Command } from 'commander'
import { categories, decisionStatuses, significances, surfaces } from '../decisions/input.ts'
import type { Visibility } from '../records/audience.ts'
import { usage } from './failure.ts'
import { fromStandardInput, standardInput, textFrom, textOfFile } from './input.ts'
import { asItIs, jsonObject, repeated, since, source, sourceForms, visibility } from './options.ts'
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
    .option('--judgment <text>', 'what was decided; - reads it from standard input, as with each text')
    .option('--context <text>', 'what it was decided in view of')
    .option('--rationale <text>', 'why')
    .option('--consequences <text>', 'what follows from it')
    .addOption(choice('--status <status>', 'default: accepted', decisionStatuses))
    .option('--supersedes <id>', 'id or external id whose place it takes; may be repeated', repeated(asItIs))
    .option('--reason <text>', 'why it takes their place')
    .option('--external-id <id>', 'by which it is known elsewhere: the same again is a new revision')
    .option('--decided-at <date>', 'from when it holds: a day or an instant (default: now)', since)
    .option('--by <name>', 'who decided; may be repeated', repeated(asItIs))
    .addOption(choice('--category <category>', '', categories))
    .addOption(choice('--significance <significance>', '', significances))
    .addOption(choice('--surface <surface>', 'where it was taken', surfaces))
    .option('--visibility <who>', 'workspace, private or team:UUID', visibility)
    .option('--source <source>', `where it is from: ${sourceForms}`, repeated(source))
    .option('--file <file>', 'the decision as JSON, with the fields of POST /v1/decisions; options go before it')
  return addWriteOptions(command)
}

/** The body of POST /v1/decisions. `title` is `-` where the decision comes in as JSON. */
export async function decisionFrom(
  session: Session,
  title: string | undefined,
  options: DecisionOptions,
): Promise<Record<string, unknown>> {
  const texts = ['judgment', 'context', 'rationale', 'consequences', 'reason'] as const
  const readers = [title, options.file, ...texts.map((name) => options[name])].filter((one) => one === standardInput)
  if (readers.length > 1) throw usage('Only one thing can be read from standard input.')
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
  if (body.title === undefined) throw usage('A decision needs a title.', 'decide "TITLE" --judgment "WHAT WAS DECIDED"')
  if (body.judgment === undefined) throw usage('A decision needs a judgment.', '--judgment "WHAT WAS DECIDED"')
  return body
}

async function objectFrom(session: Session, title: string | undefined, file: string | undefined) {
  if (title === standardInput && file !== undefined) throw usage('- and --file both name a decision.')
  if (title === standardInput || file === standardInput) {
    return jsonObject(await fromStandardInput(session), 'Standard input')
  }
  return file === undefined ? {} : jsonObject(await textOfFile(file), file)
}
