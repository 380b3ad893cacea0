/**
 * A histogram with very cheap observations, because some values are observed a thousand times a second. It counts in
 * plain numbers, and builds the Prometheus values only when they are requested.
 */
import type { Registry } from 'prom-client'

export interface Series {
  observe(value: number): void
}

export interface Histogram {
  /** The series with these label values, in the order of the labels. Keep it: finding it costs more than observing. */
  series(...values: string[]): Series
}

interface Described {
  name: string
  help: string
  labels: readonly string[]
  /** Upper bounds, ascending. */
  buckets: readonly number[]
}

/** Limits the memory, and the size of /metrics, whatever the label values are. */
const mostSeries = 500

export function histogramIn(registry: Registry, { name, help, labels, buckets }: Described): Histogram {
  const all = new Map<string, Counted>()

  const metric = {
    name,
    async get() {
      return { name, help, type: 'histogram', aggregator: 'sum', values: [...all.values()].flatMap(valuesOf) }
    },
  }
  // a registry only uses the name and get() of a metric, but its type requires a class of the library
  registry.registerMetric(metric as unknown as Parameters<Registry['registerMetric']>[0])

  function valuesOf({ named, counts, sum }: Counted) {
    let count = 0
    const bounded = buckets.map((le, at) => {
      count += counts[at] as number
      return { metricName: `${name}_bucket`, labels: { ...named, le: String(le) }, value: count }
    })
    count += counts[buckets.length] as number
    return [
      ...bounded,
      { metricName: `${name}_bucket`, labels: { ...named, le: '+Inf' }, value: count },
      { metricName: `${name}_sum`, labels: named, value: sum },
      { metricName: `${name}_count`, labels: named, value: count },
    ]
  }

  return {
    series(...values) {
      const key = values.join('\n')
      const known = all.get(key)
      if (known) return known
      const named = Object.fromEntries(labels.map((label, at) => [label, values[at] ?? '']))
      const made = counted(named, buckets)
      if (all.size < mostSeries) all.set(key, made)
      return made
    },
  }
}

interface Counted extends Series {
  named: Record<string, string>
  counts: number[]
  sum: number
}

function counted(named: Record<string, string>, buckets: readonly number[]): Counted {
  const counts = new Array<number>(buckets.length + 1).fill(0)
  return {
    named,
    counts,
    sum: 0,
    observe(value) {
      let at = 0
      while (at < buckets.length && value > (buckets[at] as number)) at++
      counts[at] = (counts[at] as number) + 1
      this.sum += value
    },
  }
}
