/** Figures of the metrics that tell people whether the service keeps up (docs/operations.md). */

interface Figure {
  name: string
  labels: Labels
  value: number
}

type Labels = Readonly<Record<string, string>>

/** How each metric is worded for people. Metrics that are not listed are not shown. */
const told: Readonly<Record<string, { text(labels: Labels): string | undefined; value(value: number): string }>> = {
  oldest_open_receipt_seconds: { text: ({ lane }) => `Oldest write that has not ended (${lane})`, value: age },
  open_workspaces: { text: () => 'Workspaces with writes that have not ended', value: count },
  journal_lag_entries: {
    text: ({ stage, over }) =>
      over === 'sum' ? undefined : `Journal entries not ${stage} yet, in the workspace that is furthest behind`,
    value: count,
  },
  queue_jobs: { text: ({ kind, state }) => `Wake-ups for ${kind}, ${state}`, value: count },
  outdated_indexes: {
    text: ({ trouble }) =>
      `Workspaces whose search index is ${trouble === 'lost' ? 'lost' : `complete only in ${trouble === 'older' ? 'an older' : 'a newer'} version`}`,
    value: count,
  },
  runs: { text: ({ state }) => `Runs, ${spaced(state)}`, value: count },
  oldest_waiting_run_seconds: { text: ({ state }) => `Oldest run, ${spaced(state)}`, value: age },
  repositories: { text: ({ state }) => `Repositories, ${state}`, value: count },
  repository_behind_seconds: { text: () => 'Repository that is furthest behind its newest commit', value: age },
  vectors_missing: { text: () => 'Changes of records without a vector', value: count },
  oldest_missing_vector_seconds: { text: () => 'Oldest change without a vector', value: age },
}

export type Row = [text: string, value: string]

/** `metrics`: as text for Prometheus. The rows are in the order of `told`; metrics without a value now are left out. */
export function rowsIn(metrics: string): Row[] {
  const figures = metrics.split('\n').flatMap((line) => figureOf(line) ?? [])
  return Object.entries(told).flatMap(([metric, { text, value }]) =>
    figures
      .filter(({ name }) => name === metric)
      .flatMap((figure): Row[] => {
        const label = text(figure.labels)
        return label === undefined ? [] : [[label, value(figure.value)]]
      }),
  )
}

function figureOf(line: string): Figure | undefined {
  const [, name, labels = '', value] = /^precedent_([a-z_]+)(?:\{([^}]*)\})? (\S+)$/.exec(line) ?? []
  if (name === undefined || !Number.isFinite(Number(value))) return undefined
  const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', one = '']) => [label, one])
  return { name, labels: Object.fromEntries(pairs), value: Number(value) }
}

const spaced = (text = '') => text.replaceAll('_', ' ')

function count(value: number): string {
  return value.toLocaleString()
}

function age(seconds: number): string {
  if (seconds === 0) return 'none'
  if (seconds < 120) return `${Math.round(seconds)} s`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}
