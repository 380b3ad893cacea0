/**
 * Part of the build: bundles the console (src/console) into dist/console. Script and style sheet are compressed here, so
 * that no request has to do it. The service needs none of the packages that are bundled.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const source = 'src/console'
const target = 'dist/console'

const bundle = await rolldown({
  input: join(source, 'main.tsx'),
  platform: 'browser',
  tsconfig: join(source, 'tsconfig.json'),
})
const { output } = await bundle.generate({ format: 'es', minify: true })
await bundle.close()

mkdirSync(target, { recursive: true })
write('console.js', output[0].code)
write(
  'console.css',
  ['console.css', ...stylesOfPages()].map((file) => readFileSync(join(source, file), 'utf8')).join('\n'),
)
// the licenses ask to be copied with the code
for (const folder of packagesIn(output[0].moduleIds))
  copyFileSync(licenseIn(folder), join(target, `${basename(folder)}.LICENSE.txt`))

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

function write(file: string, text: string): void {
  writeFileSync(join(target, `${file}.gz`), gzipSync(text, { level: 9 }))
}
