import { readFile } from 'node:fs/promises'

/** Says how a thing is stored. */
export interface Stored<T extends object> extends Iterable<T> {
  readonly id: string
  load(key: string): Promise<T>
  [key: string]: unknown
}

export type Result<T> =
  | { ok: true; value: T }
  | { ok: false; error: Error }

export enum Colour {
  Red,
  Green = 'green',
}

export declare function external(a: number): void

export function overloaded(a: string): string
export function overloaded(a: number): number
export function overloaded(a: string | number): string | number {
  // function inComment() {}
  const text = `class InTemplate { method() {} } ${((x: number) => x + 1)(2)}`
  return text.length > 3 ? a : 'function inString() {}'
}

/**
 * Reads everything.
 * @param path where
 */
export const readAll = async (
  path: string,
  { limit = 10, deep }: { limit?: number; deep: boolean },
): Promise<string[]> => {
  function inner<T>(value: T): T {
    return value
  }
  return [inner(await readFile(path, 'utf8'))]
}

const identity = <T,>(value: T): T => value

function sealed(target: unknown) {
  return target as never
}

@sealed
@(sealed as never)
export abstract class Store<K, V> implements Stored<never> {
  static #count = 0
  static {
    Store.#count = 1
  }
  readonly id = 'x'
  private handler = (event: Event) => event
  constructor(private readonly map: Map<K, V>) {
    super()
  }
  @sealed
  get size(): number {
    return this.map.size
  }
  set size(value: number) {}
  async *entries(): AsyncGenerator<[K, V]> {
    yield* this.map
  }
  abstract close(): void
  static of<A, B>(this: void, ...entries: [A, B][]): Store<A, B> {
    class Local extends Store<A, B> {
      close() {}
    }
    return new Local(new Map(entries))
  }
  [Symbol.iterator]() {
    return this.map[Symbol.iterator]()
  }
  load(key: string): Promise<never>
  load(key: unknown): Promise<never> {
    return key as never
  }
}

namespace Outer.Inner {
  export function deep() {}
  export class Nested {}
}

declare module 'some-module' {
  interface Augmented {
    extra(): void
  }
}

declare global {
  interface Window {
    precedent: string
  }
}

export const api = {
  get: async (id: string) => id,
  post(id: string) {
    return id
  },
  nested: { remove: function (id: string) { return id } },
}

export default function () {
  return 1
}
let regexp = /class Fake { function no() {} }/g
export const Klass = class Named extends Map<string, string> {
  extra() {}
}
