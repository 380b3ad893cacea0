/** Reads what a session prints: stores milestones, and keeps the last plan and the last result. */
import { type Clock, instant } from '../../ports/clock.ts'
import type { ExecutorSession, Line } from '../../ports/executor.ts'
import { cut } from '../../records/title.ts'
import type { Milestone } from '../stored/milestone.ts'
import type { Masker } from './masker.ts'
import { type Message, messageOf } from './messages.ts'
import type { MilestoneWriter } from './milestone-writer.ts'
import type { Output } from './output.ts'

export interface Told {
  plan?: Extract<Message, { type: 'plan' }>
  result?: Extract<Message, { type: 'result' }>
  /** Why the last message that had another form was refused. */
  refused?: string
}

export interface PumpParts {
  clock: Clock
  masker: Masker
  writer: MilestoneWriter
  output: Output
  session: string
}

/** Of a session. Further ones are output. */
const mostMilestones = 10_000
/** Characters of a line of output. */
const longestOutput = 16 * 1024

/** Ends with the lines. `told` is filled while they come. */
export async function pump(lines: ExecutorSession['lines'], told: Told, parts: PumpParts): Promise<void> {
  let count = 0
  for await (const line of lines) {
    const found = line.from === 'stdout' ? messageOf(line.text) : undefined
    const isOutput = typeof found !== 'object' || (found.type === 'milestone' && count >= mostMilestones)
    if (isOutput) {
      parts.output.add(shownLine(line))
      if (typeof found === 'string') {
        told.refused = found
        parts.output.add(`[the line above is not a valid message. ${found}]`)
      }
      continue
    }
    const message = await parts.masker.json(found)
    if (message.type === 'plan') told.plan = message
    else if (message.type === 'result') told.result = message
    else {
      count += 1
      await parts.writer.add(milestoneOf(message, parts))
    }
  }
}

function shownLine({ text, isCut }: Line): string {
  const isLong = isCut || text.length > longestOutput
  return isLong ? `${text.slice(0, longestOutput)} [the rest of the line was dropped]` : text
}

/** Bytes of JSON. */
const largestMilestone = 16 * 1024

function milestoneOf({ title, text, data }: Extract<Message, { type: 'milestone' }>, parts: PumpParts): Milestone {
  const made: Milestone = {
    at: instant(parts.clock),
    type: 'milestone',
    title,
    ...(text === undefined ? {} : { text }),
    ...(data === undefined ? {} : { data }),
    session_id: parts.session,
  }
  // characters of other scripts have up to four bytes
  while (made.text !== undefined && Buffer.byteLength(JSON.stringify(made)) > largestMilestone) {
    made.text = cut(made.text, Math.floor(made.text.length * 0.7))
  }
  return made
}
