/** `precedent remember`: keeps one fact, constraint, commitment, correction or what a session came to. */
import type { Command } from 'commander'
import { memoryKinds } from '../../memories/input.ts'
import type { Visibility } from '../../records/audience.ts'
import type { Client } from '../client.ts'
import { type ExitCode, usage } from '../failure.ts'
import { textFrom } from '../input.ts'
import { asItIs, memoryId, repeated, since, source, sourceForms, visibility } from '../options.ts'
import type { ReceiptResponse } from '../receipts.ts'
import type { Act, Session } from '../session.ts'
import { madeLine, readBack } from '../tell.ts'
import { addWriteOptions, type WriteOptions, write } from '../write.ts'

interface RememberOptions extends WriteOptions {
  kind?: string
  title?: string
  corrects?: string
  occurredAt?: string
  visibility?: Visibility
  source?: object[]
  topic?: string[]
}

export function addRemember(program: Command, act: Act): void {
  const command = program
    .command('remember')
    .argument('<text>', 'what to keep; - reads it from standard input')
    .description('keep one fact, constraint, commitment, correction or what a session came to')
    .addOption(program.createOption('--kind <kind>', 'default: fact, with --corrects correction').choices(memoryKinds))
    .option('--title <title>', 'default: its first sentence')
    .option('--corrects <id>', 'the memory whose place it takes', memoryId)
    .option('--occurred-at <date>', 'from when it holds: a day or an instant (default: now)', since)
    .option('--visibility <who>', 'workspace, private or team:UUID', visibility)
    .option('--source <source>', `where it is from: ${sourceForms}`, repeated(source))
    .option('--topic <topic>', 'what it is about; may be repeated', repeated(asItIs))
  addWriteOptions(command).action(act(remember))
}

async function remember(session: Session, text: string, options: RememberOptions): Promise<ExitCode> {
  const { title, corrects, occurredAt, topic, source: sources, visibility: seenBy } = options
  const kind = options.kind ?? (corrects === undefined ? 'fact' : 'correction')
  if (kind === 'correction' && corrects === undefined) {
    throw usage('A correction takes the place of a memory.', 'Name it: --corrects ID; `precedent search` shows it.')
  }
  if (kind !== 'correction' && corrects !== undefined) {
    throw usage('--corrects goes with --kind correction only.', 'Leave out --kind.')
  }
  const body = {
    kind,
    content: await textFrom(session, text, 'The text'),
    title,
    corrects_memory_id: corrects,
    occurred_at: occurredAt,
    visibility: seenBy,
    sources,
    topics: topic,
  }
  return write(session, { path: '/v1/context/memories', body }, options, async (receipt, client) => {
    session.terminal.note(await whatCame(receipt, client, kind))
    madeLine(receipt, session.terminal)
  })
}

async function whatCame(receipt: ReceiptResponse, client: Client, kind: string): Promise<string> {
  const made = await readBack<{ recorded_at: string; corrects: { title: string }[] }>(receipt, client)
  if (made && made.recorded_at !== receipt.accepted_at) return 'This was known already: it is confirmed.'
  if (kind === 'correction' && made?.corrects.length === 0)
    return 'Kept: it takes the place of the other once it holds.'
  return kind === 'correction'
    ? 'Kept: it takes the place of what it corrects.'
    : `Kept as a ${kind.replace('_', ' ')}.`
}
