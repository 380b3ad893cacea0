#!/usr/bin/env node
/** The command `precedent`. */
import { main } from './main.ts'

process.exitCode = await main(process.argv.slice(2))
