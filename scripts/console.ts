/**
 * Part of the build: bundles the console (src/console) into dist/console. Each script is one file: that of the pages, and
 * those of the threads, which are loaded only when they are needed. Scripts and style sheet are compressed here, so that no
 * request has to do it. The service needs none of the packages that are bundled only here.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Plugin, rolldown } from 'rolldown'

const source = 'src/console'
const target = 'dist/console'

const pages = 'console.js'
const scripts: Readonly<Record<string, string>> = {
  [pages]: 'main.tsx',
  'import-thread.js': 'import-thread/thread.ts',
  'translate-thread.js': 'import-thread/translate-thread.ts',
}
/** What packages import for uses that the console does not have: drawing formulas and code, and files of Node. */
const unused = /^(?:katex|shiki|(?:node:)?(?:path|crypto|fs))$/

mkdirSync(target, { recursive: true })
const bundled = new Set<string>()
for (const [name, entry] of Object.entries(scripts)) write(name, await bundle(name, entry))
write(
  'console.css',
  ['console.css', ...stylesOfPages()].map((file) => readFileSync(join(source, file), 'utf8')).join('\n'),
)
// the licenses ask to be copied with the code
for (const folder of packagesIn([...bundled])) copyFileSync(licenseIn(folder), licenseNameOf(folder))

async function bundle(name: string, entry: string): Promise<string> {
  const built = await rolldown({
    input: join(source, entry),
    platform: 'browser',
    tsconfig: join(source, 'tsconfig.json'),
    resolve: {
      // a thread has no document
      conditionNames: [...(name === pages ? [] : ['worker']), 'browser', 'import', 'default'],
      // the same parser, with what it needs of Node
      alias: { 'csv-parse/sync': 'csv-parse/browser/esm/sync', 'csv-parse': 'csv-parse/browser/esm' },
    },
    plugins: [withoutUnused()],
  })
  const { output } = await built.generate({ format: 'es', minify: true, codeSplitting: false })
  await built.close()
  const [{ code, moduleIds, fileName, imports, dynamicImports }, ...others] = output
  const needed = [...imports, ...dynamicImports, ...others.map((other) => other.fileName)]
  const missing = needed.filter((name) => name !== fileName)
  if (missing.length > 0) throw new Error(`a browser can't load what ${entry} needs: ${missing.join(', ')}`)
  for (const id of moduleIds) bundled.add(id)
  return code
}

/** Our own files must import nothing of this. */
function withoutUnused(): Plugin {
  const empty = '\0unused'
  return {
    name: 'without-unused',
    resolveId: (id, importer) => (unused.test(id) && importer?.includes('node_modules') ? empty : undefined),
    load: (id) => (id === empty ? 'export default {}; export const bundledLanguagesInfo = []' : undefined),
  }
}

function stylesOfPages(): string[] {
  const files = readdirSync(join(source, 'pages')).sort()
  return files.filter((file) => file.endsWith('.css')).map((file) => join('pages', file))
}

/** The folders of the packages that these files belong to. */
function packagesIn(files: readonly string[]): Set<string> {
  return new Set(files.flatMap((file) => /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/.exec(file)?.[0] ?? []))
}

function licenseIn(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(?:\.|$)/i.test(name))
  if (file === undefined) throw new Error(`${folder} has no license`)
  return join(folder, file)
}

function licenseNameOf(folder: string): string {
  const [, scope = '', name] = /(?:@([^/\\]+)[/\\])?([^/\\]+)$/.exec(folder) ?? []
  return join(target, `${scope && `${scope}-`}${name}.LICENSE.txt`)
}

function write(file: string, text: string): void {
  writeFileSync(join(target, `${file}.gz`), gzipSync(text, { level: 9 }))
}
