import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { repository } from '../support/repository.ts'

const read = (name: string) => readFileSync(join(repository, name), 'utf8')

interface Dashboard {
  panels: { id: number; title: string; targets: { expr: string }[] }[]
}
interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[]
}

const dashboard = JSON.parse(read('deploy/grafana-dashboard.json')) as Dashboard
const rules = (parse(read('deploy/prometheus-alerts.yml')) as Rules).groups.flatMap((group) => group.rules)
const ofPanels = dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const))
const ofRules = rules.map(({ alert, expr }) => [alert, expr] as const)

/** Names that a query may use. A histogram has three. */
async function exported(): Promise<string[]> {
  const metrics = createMetrics(systemClock, { info: () => {} })
  metrics.vectors(async () => ({ rows: 0, oldest: 0 }))
  metrics.notices()
  metrics.repositories(async () => ({ states: {}, behindMs: 0, skipped: {} }))
  const backlog = async () => ({
    oldest: {},
    workspaces: 0,
    lag: { projected: { most: 0, sum: 0 }, indexed: { most: 0, sum: 0 }, compared: { most: 0, sum: 0 } },
    complete: true,
  })
  const none = async () => ({})
  const runs = async () => ({ states: {}, oldest: {} })
  metrics.registerGauges({ backlog, queued: none, health: none, outdatedIndexes: none, runs })
  const types = [...(await metrics.text()).matchAll(/^# TYPE (\w+) (\w+)$/gm)]
  return types.flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  )
}

const metricsIn = (query: string) => query.match(/\b(?:precedent|process|nodejs)_\w+/g) ?? []

it.each([...ofPanels, ...ofRules])('%s uses only metrics that exist', async (_, query) => {
  const names = await exported()
  const asked = metricsIn(query)
  expect(asked.length > 0 || query.startsWith('up{')).toBe(true)
  for (const name of asked) expect(names).toContain(name)
})

it('every metric of the service is on the dashboard and in docs/operations.md', async () => {
  const shown = ofPanels.flatMap(([, query]) => metricsIn(query).map(withoutSuffix))
  const documented = read('docs/operations.md')
  const own = new Set((await exported()).filter((name) => name.startsWith('precedent_')).map(withoutSuffix))
  expect(own.size).toBeGreaterThan(12)
  for (const name of own) {
    expect(shown).toContain(name)
    expect(documented).toContain(`\`${name}\``)
  }
})

it('no two alerts and no two panels have the same name, and every alert is explained', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  for (const { alert, annotations } of rules) {
    expect(Object.keys(annotations).sort(), alert).toEqual(['description', 'summary'])
  }
})

function withoutSuffix(name: string): string {
  return name.replace(/_(bucket|count|sum)$/, '')
}
