#!/usr/bin/env node
/** The command `precedent`. */
import { main } from './main.ts'

const code = await main(process.argv.slice(2))
// exit once all output is flushed, even if a timer or a socket is still open
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
