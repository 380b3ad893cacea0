/** The suite imports `globSync` of `fs` for a command that is not used here. Node 20 lacks it, so it gets an empty one. */
const fs = moduleOf(`export * from 'node:fs'; export const globSync = () => []`)
const hooks = moduleOf(`export async function resolve(specifier, context, next) {
  const isSuite = specifier === 'fs' && context.parentURL?.includes('conformance')
  return isSuite ? { url: ${JSON.stringify(fs)}, shortCircuit: true } : next(specifier, context)
}`)

/** For `node --import`. */
export const loader = moduleOf(`import { register } from 'node:module'; register(${JSON.stringify(hooks)})`)

function moduleOf(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`
}
