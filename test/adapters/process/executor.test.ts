import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { type ExecutorHarness, executorContract } from '../../contracts/executor.contract.ts'
import { temporaryFolder } from '../../support/clean-up.ts'
import { skipIf } from '../../support/skip.ts'
import { build } from './build.ts'
import type { ProgramFile } from './program.ts'
import { expectNothingLeft, isWindows, testing } from './sessions.ts'

describe('the process executor', skipIf(isWindows), () => {
  executorContract('process', harness())
})

function harness(): ExecutorHarness {
  const built = build()
  const folder = temporaryFolder()
  const at = testing(built)
  return {
    async open(program) {
      const place = mkdtempSync(join(folder, 'program-'))
      const file: ProgramFile = {
        startsFile: join(place, 'starts'),
        printedFile: join(place, 'printed'),
        echoes: program.echoes ?? false,
        prints: (program.prints ?? []).map((one) => Buffer.from(one).toString('base64')),
        repeats: program.repeats ?? { line: 0, times: 0 },
        ends: program.ends,
      }
      const path = join(place, 'program.json')
      for (const each of [file.startsFile, file.printedFile]) writeFileSync(each, '')
      writeFileSync(path, JSON.stringify(file))
      return {
        executor: at.executor([process.execPath, built.program, path]),
        starts: async () => readFileSync(file.startsFile).length,
        printed: async () => Number(readFileSync(file.printedFile, 'utf8')),
        nothingLeft: async () => expectNothingLeft(at),
      }
    },
  }
}
