/** One line of the result, with its statistics and the table. */

export type Goal = { at_least: number } | { at_most: number }

export interface Row {
  name: string
  /** What was measured. `unit` is its unit. */
  value: number
  unit: string
  /** The value of the baseline in the same run. null: no baseline. */
  baseline: number | null
  /** value / baseline. */
  ratio: number | null
  /** For the ratio if there is a baseline, else for the value. null: for information only. */
  goal: Goal | null
  ok: boolean
}

export function row(name: string, value: number, unit: string, goal: Goal | null, baseline: number | null = null): Row {
  const ratio = baseline === null ? null : rounded(value / baseline)
  return {
    name,
    value: rounded(value),
    unit,
    baseline: baseline === null ? null : rounded(baseline),
    ratio,
    goal,
    ok: goal === null || reaches(ratio ?? value, goal),
  }
}

function reaches(reached: number, goal: Goal): boolean {
  return 'at_least' in goal ? reached >= goal.at_least : reached <= goal.at_most
}

/** Three digits: two runs differ by more than that. */
function rounded(value: number): number {
  return Number(value.toPrecision(3))
}

export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

/** The smallest value such that at least `share` percent of the values are not greater. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((share / 100) * sorted.length) - 1)] as number
}

/** Measures ours, theirs, ours, theirs …, so that other load on the machine affects both. Returns both medians. */
export async function alternately(
  rounds: number,
  ours: (round: number) => Promise<number>,
  theirs: (round: number) => Promise<number>,
): Promise<[ours: number, theirs: number]> {
  const measured: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    measured[0].push(await ours(round))
    measured[1].push(await theirs(round))
  }
  return [median(measured[0]), median(measured[1])]
}

export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ name, value, unit, baseline, ratio, goal, ok }) => [
    name,
    `${value} ${unit}`,
    baseline === null ? '' : String(baseline),
    ratio === null ? '' : `${ratio} ×`,
    goalOf(goal, ratio === null ? unit : '×'),
    goal === null ? '' : ok ? 'ok' : 'MISSED',
  ])
  const all = [['row', 'measured', 'baseline', 'ratio', 'goal', ''], ...lines]
  const widths = (all[0] as string[]).map((_, column) => Math.max(...all.map((line) => (line[column] ?? '').length)))
  return all
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}

function goalOf(goal: Goal | null, unit: string): string {
  if (goal === null) return ''
  return 'at_least' in goal ? `≥ ${goal.at_least} ${unit}` : `≤ ${goal.at_most} ${unit}`
}
