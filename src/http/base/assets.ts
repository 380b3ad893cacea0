/** Scripts and styles of pages: compressed by the build, read once, and served under names that have their hash. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Context } from 'koa'
import { problem } from '../../problem.ts'
import { isKnown } from './etag.ts'

export interface Asset {
  /** `<hash of the content>-<file>`. */
  name: string
  type: string
  zipped: Buffer
  /** For the few clients that don't accept gzip. */
  plain(): Promise<Buffer>
}

const unzip = promisify(gunzip)
const { resolve } = createRequire(import.meta.url)

/** Reads `<folder>/<file>.gz` for each file. `folder`: a name of `imports` in package.json, such as `#viewer`. */
export function loadAssets(folder: string, files: readonly string[]): Promise<readonly Asset[]> {
  return Promise.all(files.map((file) => load(folder, file)))
}

async function load(folder: string, file: string): Promise<Asset> {
  const zipped = await readFile(resolve(`${folder}/${file}.gz`))
  const hash = createHash('sha256').update(zipped).digest('hex').slice(0, 16)
  const type = file.endsWith('.css') ? 'text/css' : 'text/javascript'
  return { name: `${hash}-${file}`, type, zipped, plain: () => unzip(zipped) }
}

/** The name under which a file of these is served. */
export function nameOfAsset(assets: readonly Asset[], file: string): string {
  return assets.find(({ name }) => name.endsWith(`-${file}`))?.name ?? ''
}

/**
 * Answers with the asset that the parameter `file` of the path names. The name has the hash of the content, so a browser
 * never needs to ask again. `page`: what to load again if the name is unknown.
 */
export async function showAsset(ctx: Context, assets: readonly Asset[], page: string): Promise<void> {
  const { file } = (ctx as unknown as { params: { file: string } }).params
  const asset = assets.find(({ name }) => name === file)
  if (asset === undefined) throw problem('not_found', `There is no such file. Load ${page} again.`)
  ctx.set('Cache-Control', 'public, max-age=31536000, immutable')
  const etag = `"${asset.name}"`
  ctx.set('ETag', `W/${etag}`)
  ctx.vary('Accept-Encoding')
  if (isKnown(etag, ctx.get('If-None-Match'))) {
    ctx.status = 304
    return
  }
  const zipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  if (zipped) ctx.set('Content-Encoding', 'gzip')
  ctx.body = zipped ? asset.zipped : await asset.plain()
  ctx.type = asset.type
}

/** Caches the loaded value. A failure is not cached. */
export function loadedOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
