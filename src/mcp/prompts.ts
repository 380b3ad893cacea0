/** What a person may ask for by name: a message that holds the brief. */
import { z } from 'zod'
import { brief } from '../context/brief/brief.ts'
import { invalid } from '../problem.ts'
import { text } from '../validation/schema.ts'
import { validated } from '../validation/validated.ts'
import type { Caller } from './base/tool.ts'

const topic = { name: 'topic', description: 'What the work is about. Left out: everything that matters now.' }

export const prompts = [
  {
    name: 'brief_me',
    title: 'Brief me',
    description: 'What one must know before work begins, about a topic or in general.',
    arguments: [{ ...topic, required: false }],
  },
  {
    name: 'handoff',
    title: 'Hand over',
    description: 'What somebody who takes over must know: responsibilities, commitments and what is not decided yet.',
    arguments: [{ ...topic, required: false }],
  },
]

/** An empty topic is one that is left out. */
const input = z.strictObject({ topic: text(0, 2000).exactOptional() })

type Prompt = {
  description: string
  messages: [{ role: 'user'; content: { type: 'text'; text: string } }]
}

const openings = {
  brief_me: 'This is recorded. Follow what is in force, and cite what you rely on:',
  handoff: 'I take this over. This is recorded; tell me what I must do first, and what is not decided yet:',
}

/** Throws Problems. */
export async function getPrompt(name: string, args: Record<string, string>, caller: Caller): Promise<Prompt> {
  const prompt = prompts.find((one) => one.name === name)
  if (prompt === undefined) throw invalid('name', 'there is no such prompt: prompts/list lists them')
  const { topic: query } = validated(input, args)
  const asked = { ...(query ? { query } : {}), ...(name === 'handoff' ? { lens: 'handoff' as const } : {}) }
  const { markdown } = await caller.query(brief, asked)
  const whole = `${openings[name as keyof typeof openings]}\n\n${markdown}`
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text: whole } }] }
}
