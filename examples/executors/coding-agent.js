/**
 * An executor that runs the command line of a coding agent, and translates its output. It expects a command that takes
 * its prompt on standard input and prints one JSON object a line, as `claude -p --output-format stream-json --verbose`
 * and `codex exec --json -` do. The command is the operator's: AGENT_COMMAND for the phase run, and
 * AGENT_PLAN_COMMAND for the phase plan, each a JSON list of a program and its arguments.
 *
 * The agent works in the folder in which this script runs (`directory` of the executor). It may call Precedent by
 * PRECEDENT_URL and PRECEDENT_API_KEY, which it inherits.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const { phase, task, instructions, plan, brief } = JSON.parse(readFileSync(0, 'utf8'))
const setting = phase === 'plan' ? 'AGENT_PLAN_COMMAND' : 'AGENT_COMMAND'
const [program, ...args] = JSON.parse(process.env[setting] ?? '[]')
if (!program) {
  process.stderr.write(`${setting} is not set: give the program and its arguments as a JSON list.\n`)
  process.exit(1)
}

const prompt = [
  phase === 'plan'
    ? 'Plan this task. Change nothing. Answer with the plan alone, in Markdown.'
    : 'Carry out this task.',
  `# ${task.name}`,
  task.description,
  instructions && `## Instructions\n\n${instructions}`,
  plan && `## The approved plan\n\n${plan.text}\n\n${plan.steps.map((step) => `- ${step}`).join('\n')}`,
  plan?.note && `## Note of the approval\n\n${plan.note}`,
  `## What the company knows and has decided\n\n${brief}`,
]

// an argument never holds text of the task: the prompt goes to standard input
const agent = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
agent.on('error', (error) => {
  process.stderr.write(`${program} can't be started: ${error.message}\n`)
  process.exit(1)
})
agent.stdin.on('error', () => {}) // it may end without reading all of its prompt
agent.stdin.end(prompt.filter(Boolean).join('\n\n'))

let answer = ''
for await (const line of createInterface({ input: agent.stdout })) translate(line)
const code = await new Promise((resolve) => {
  if (agent.exitCode !== null) resolve(agent.exitCode)
  else agent.on('close', resolve)
})
if (code !== 0) process.exit(code ?? 1)
if (phase === 'plan') say({ type: 'plan', text: answer.slice(0, 50_000), steps: stepsOf(answer) })
else say({ type: 'result', summary: answer.slice(0, 20_000), links: [] })

function translate(line) {
  let event
  try {
    event = JSON.parse(line)
  } catch {
    process.stdout.write(`${line}\n`) // output, not a message
    return
  }
  const text = textOf(event)
  if (text) {
    answer = text
    say({ type: 'milestone', title: firstLine(text), text: text.slice(0, 10_000) })
  }
  for (const tool of toolsOf(event)) say({ type: 'milestone', title: `Uses ${tool}` })
}

/** What the agent says, in the events of either program. */
function textOf(event) {
  if (event.type === 'result') return typeof event.result === 'string' ? event.result : ''
  if (event.item?.type === 'agent_message') return event.item.text
  const content = event.type === 'assistant' ? event.message?.content : undefined
  return Array.isArray(content) ? content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n') : ''
}

function toolsOf(event) {
  if (event.item?.type === 'command_execution') return ['a command']
  const content = event.type === 'assistant' ? event.message?.content : undefined
  return Array.isArray(content) ? content.flatMap((part) => (part.type === 'tool_use' ? [part.name] : [])) : []
}

function stepsOf(text) {
  return [...text.matchAll(/^\s*(?:[-*]|\d+[.)])\s+(.+)$/gm)].slice(0, 100).map(([, step]) => step.slice(0, 1000))
}

function firstLine(text) {
  return text.trim().split('\n')[0].slice(0, 200)
}

function say(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}
