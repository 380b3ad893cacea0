/**
 * Part of the build: bundles the console (src/console) into dist/console. Script and style sheet are compressed here, so
 * that no request has to do it. The service needs none of the packages that are bundled.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const target = 'dist/console'

const bundle = await rolldown({
  input: 'src/console/main.tsx',
  platform: 'browser',
  tsconfig: 'src/console/tsconfig.json',
})
// comments with licenses stay, as these ask for
const { output } = await bundle.generate({ format: 'es', minify: true })
await bundle.close()

mkdirSync(target, { recursive: true })
write('console.js', output[0].code)
write('console.css', readFileSync('src/console/console.css', 'utf8'))

function write(file: string, text: string): void {
  writeFileSync(join(target, `${file}.gz`), gzipSync(text, { level: 9 }))
}
