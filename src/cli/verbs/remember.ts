/** `precedent remember`: records one fact, constraint, commitment, correction or session outcome. */
import type { Command } from 'commander'
import type { MemoryShown } from '../../memories/get.ts'
import { memoryKinds } from '../../memories/input.ts'
import type { Visibility } from '../../records/audience.ts'
import { instantTold } from '../../records/standing.ts'
import type { Client } from '../client/client.ts'
import { textFrom } from '../client/input.ts'
import { namesNothing, noSuch } from '../client/no-such.ts'
import { anyText, memoryId, repeated, source, sourceForms, startOfDay, visibility } from '../client/options.ts'
import { printRecord, readBack } from '../client/read-back.ts'
import type { ReceiptResponse } from '../client/receipts.ts'
import type { Act, Session } from '../client/session.ts'
import { addWriteOptions, type WriteOptions, write } from '../client/write.ts'
import { type ExitCode, usage } from '../terminal/failure.ts'

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
    .argument('<text>', 'the text to record; - reads it from standard input')
    .description('record one fact, constraint, commitment, correction or session outcome')
    .addOption(program.createOption('--kind <kind>', 'default: fact; with --corrects: correction').choices(memoryKinds))
    .option('--title <title>', 'default: the first sentence of the text')
    .option('--corrects <id>', 'id of the memory that this one replaces', memoryId)
    .option('--occurred-at <date>', 'start of its validity: a day or an instant (default: now)', startOfDay)
    .option('--visibility <scope>', 'who can see it: workspace, private or team:UUID', visibility)
    .option('--source <source>', `where it comes from: ${sourceForms}`, repeated(source))
    .option('--topic <topic>', 'a topic of the text; may be repeated', repeated(anyText))
  addWriteOptions(command).action(act(remember))
}

async function remember(session: Session, text: string, options: RememberOptions): Promise<ExitCode> {
  const { title, corrects, occurredAt, topic, source: sources, visibility: seenBy } = options
  const kind = options.kind ?? (corrects === undefined ? 'fact' : 'correction')
  if (kind === 'correction' && corrects === undefined) {
    throw usage(
      'A correction needs the memory that it replaces.',
      'Add --corrects ID. `precedent search` shows the ids.',
    )
  }
  if (kind !== 'correction' && corrects !== undefined) {
    throw usage('--corrects can be used only with --kind correction.', 'Leave out --kind.')
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
  const written = write(session, { path: '/v1/context/memories', body }, options, async (receipt, client) => {
    session.terminal.note(await outcomeText(receipt, client, kind))
    printRecord(receipt, session.terminal)
  })
  return written.catch((error: unknown) => {
    throw corrects !== undefined && namesNothing(error, 'corrects_memory_id') ? noSuch('memory', corrects) : error
  })
}

function fromWhen(made: MemoryShown | undefined): string {
  if (made === undefined || made.occurred_at <= new Date().toISOString()) return ''
  return `: it is in force from ${instantTold(made.occurred_at)}`
}

async function outcomeText(receipt: ReceiptResponse, client: Client, kind: string): Promise<string> {
  const made = await readBack<MemoryShown>(receipt, client)
  if (made && made.recorded_at !== receipt.accepted_at) return 'Already recorded: the existing memory is confirmed.'
  if (kind === 'correction' && made?.corrects.length === 0)
    return 'Recorded. It replaces the corrected memory once it is in force.'
  return kind === 'correction'
    ? 'Recorded. It replaces the corrected memory.'
    : `Recorded as a ${kind.replace('_', ' ')}${fromWhen(made)}.`
}
