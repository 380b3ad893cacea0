/**
 * Part of the build: bundles the console (src/console) into dist/console. Script and style sheet are compressed here, so
 * that no request has to do it. The service needs none of the packages that are bundled.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const source = 'src/console'
const target = 'dist/console'

const bundle = await rolldown({
  input: join(source, 'main.tsx'),
  platform: 'browser',
  tsconfig: join(source, 'tsconfig.json'),
})
// comments with licenses stay, as these ask for
const { output } = await bundle.generate({ format: 'es', minify: true })
await bundle.close()

mkdirSync(target, { recursive: true })
write('console.js', output[0].code)
write(
  'console.css',
  ['console.css', ...stylesOfPages()].map((file) => readFileSync(join(source, file), 'utf8')).join('\n'),
)

function stylesOfPages(): string[] {
  const files = readdirSync(join(source, 'pages')).sort()
  return files.filter((file) => file.endsWith('.css')).map((file) => join('pages', file))
}

function write(file: string, text: string): void {
  writeFileSync(join(target, `${file}.gz`), gzipSync(text, { level: 9 }))
}
