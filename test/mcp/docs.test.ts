/** docs/mcp.md and docs/agents.md say what the server does. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mcpPath } from '../../src/http/routes/mcp-paths.ts'
import { instructions } from '../../src/mcp/instructions.ts'
import { tools } from '../../src/mcp/tools.ts'
import { repository } from '../support/repository.ts'

const read = (name: string) => readFileSync(join(repository, 'docs', name), 'utf8')
const blocksOf = (text: string, language: string) =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, of]) => of === language)
    .map(([, , block]) => block as string)

describe('docs/agents.md', () => {
  it('has the instructions of the server', () => {
    expect(blocksOf(read('agents.md'), 'text')).toEqual([`${instructions}\n`])
  })

  it('names only tools that exist', () => {
    const names = tools.map(({ name }) => name)
    const [passage = ''] = blocksOf(read('agents.md'), 'markdown')
    const named = [
      ...`${passage} ${instructions}`.matchAll(
        /`?\b((?:get|search|record|resolve|supersede|list|create|update|comment)_\w+)`?/g,
      ),
    ]
    expect(named.length).toBeGreaterThan(10)
    for (const [, name] of named) expect(names).toContain(name)
  })
})

describe('docs/mcp.md', () => {
  it('has a row for every tool, with its list', () => {
    const text = read('mcp.md')
    for (const { name, lists } of tools) {
      const row = text.split('\n').find((line) => line.startsWith('| ') && line.split('|')[1]?.includes(`\`${name}\``))
      expect(row, name).toBeDefined()
      const list = row?.split('|').at(-2)?.trim()
      expect(list, name).toBe(lists.find((one) => one !== 'all') ?? '')
    }
  })

  it('configures clients with JSON that parses, and with the address of the endpoint', () => {
    const blocks = blocksOf(read('mcp.md'), 'json')
    expect(blocks.length).toBeGreaterThan(6)
    for (const block of blocks) {
      const text = JSON.stringify(JSON.parse(block))
      expect(text.includes(mcpPath) || text.includes('"args":["mcp"]'), block).toBe(true)
    }
  })
})
