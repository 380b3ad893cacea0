#!/usr/bin/env node
/** The command `precedent`. */
import { main } from './main.ts'

const code = await main(process.argv.slice(2))
// once all is written: what a verb has left behind, such as a timer, keeps nobody waiting
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
