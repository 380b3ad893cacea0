/**
 * Row → score. One search scores up to 10,000 rows and changes most scores several times. A Map would take four times as
 * long, because it stores each number as an object.
 */

/** Of places in the table; a power of two. Most searches need some 16,000. */
const smallest = 1024
/** The table grows if more of its places are used, so that a row is found after few steps. */
const fullAt = 0.5

export class Scores {
  /** The place of an entry in `#rows` and `#values`, plus 1, by the hash of its row. 0: none. */
  #table = new Uint32Array(smallest)
  #rows = new Float64Array(smallest * fullAt)
  /** NaN: deleted. */
  #values = new Float64Array(smallest * fullAt)
  #entries = 0
  #deleted = 0

  get size(): number {
    return this.#entries - this.#deleted
  }

  get(row: number): number | undefined {
    const entry = this.#table[this.#placeOf(row)] as number
    const value = entry === 0 ? Number.NaN : (this.#values[entry - 1] as number)
    return Number.isNaN(value) ? undefined : value
  }

  has(row: number): boolean {
    return this.get(row) !== undefined
  }

  set(row: number, value: number): void {
    const place = this.#placeOf(row)
    const entry = this.#table[place] as number
    if (entry !== 0) {
      if (Number.isNaN(this.#values[entry - 1])) this.#deleted--
      this.#values[entry - 1] = value
      return
    }
    if (this.#entries === this.#rows.length) {
      this.#grow()
      this.set(row, value)
      return
    }
    this.#rows[this.#entries] = row
    this.#values[this.#entries] = value
    this.#table[place] = ++this.#entries
  }

  delete(row: number): void {
    if (!this.has(row)) return
    this.set(row, Number.NaN)
    this.#deleted++
  }

  /** Calls it for each row, in any order, and adds what it returns. */
  addToEach(more: (row: number) => number): void {
    for (let at = 0; at < this.#entries; at++) {
      this.#values[at] = (this.#values[at] as number) + more(this.#rows[at] as number)
    }
  }

  /** Of all rows, in any order. */
  values(): Float64Array {
    const all = this.#values.subarray(0, this.#entries)
    return this.#deleted === 0 ? all : all.filter((value) => !Number.isNaN(value))
  }

  /** Rows whose score is at least this. */
  from(least: number): [row: number, score: number][] {
    const found: [number, number][] = []
    for (let at = 0; at < this.#entries; at++) {
      const value = this.#values[at] as number
      if (value >= least) found.push([this.#rows[at] as number, value])
    }
    return found
  }

  /** Where the row is in the table, or where it belongs. */
  #placeOf(row: number): number {
    const last = this.#table.length - 1
    const hash = Math.imul(row, 0x9e3779b1)
    for (let place = (hash ^ (hash >>> 15)) & last; ; place = (place + 1) & last) {
      const entry = this.#table[place] as number
      if (entry === 0 || this.#rows[entry - 1] === row) return place
    }
  }

  #grow(): void {
    const [rows, values] = [this.#rows, this.#values]
    this.#rows = new Float64Array(rows.length * 4)
    this.#values = new Float64Array(values.length * 4)
    this.#rows.set(rows)
    this.#values.set(values)
    this.#table = new Uint32Array(this.#table.length * 4)
    for (let at = 0; at < this.#entries; at++) this.#table[this.#placeOf(rows[at] as number)] = at + 1
  }
}
