import { readFileSync } from 'node:fs'
import { parse } from './yaml.js'

const defaults = { posts_per_page: 10, permalink: '/:slug/', excerpt_words: 50, image_widths: '640 1280' }

/** A base address with a slash at its end would give every link two of them. */
export function loadConfig(file) {
  const config = { ...defaults, ...parse(readFileSync(file, 'utf8')) }
  if (!config.base_url) throw new Error('base_url is missing')
  return { ...config, base_url: config.base_url.replace(/\/+$/, '') }
}
