#!/usr/bin/env node
import { build } from '../lib/build.js'
import { serve } from '../lib/dev/serve.js'

const commands = { build, serve }
const [name, ...rest] = process.argv.slice(2)
if (!commands[name]) {
  console.error('usage: press build|serve [site.yml]')
  process.exit(64)
}
await commands[name](rest)
