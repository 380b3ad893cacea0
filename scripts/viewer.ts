/**
 * Part of the build: puts the files of Swagger UI that /docs needs into dist/viewer. Scripts and styles are compressed
 * here, so that no request has to do it. The service needs no other file of that package.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const target = 'dist/viewer'
const served = [
  join(swagger, 'swagger-ui.css'),
  join(swagger, 'index.css'),
  join(swagger, 'swagger-ui-bundle.js'),
  join(swagger, 'swagger-ui-standalone-preset.js'),
  'src/http/docs/start.js',
  'src/http/docs/viewer.css',
]
/** The licenses ask to be copied with the code. */
const licenses = [
  'LICENSE',
  'NOTICE',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui-standalone-preset.js.LICENSE.txt',
].map((name) => join(swagger, name))

mkdirSync(target, { recursive: true })
for (const path of served)
  writeFileSync(join(target, `${basename(path)}.gz`), gzipSync(readFileSync(path), { level: 9 }))
for (const path of licenses) copyFileSync(path, join(target, basename(path)))
