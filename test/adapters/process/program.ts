/** An executor for the contract: it does what the file that its argument names says. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'

export interface ProgramFile {
  /** Gets a character for each start. */
  startsFile: string
  /** How many bytes were printed. */
  printedFile: string
  echoes: boolean
  /** base64 */
  prints: string[]
  repeats: { line: number; times: number }
  ends: 'done' | 'failed' | 'never'
}

const file = JSON.parse(readFileSync(process.argv[2] as string, 'utf8')) as ProgramFile
let printed = 0

appendFileSync(file.startsFile, '.')
if (file.echoes) {
  const document: unknown = JSON.parse(await text(process.stdin))
  await print(Buffer.from(`${JSON.stringify({ document, key: process.env.PRECEDENT_API_KEY })}\n`))
}
for (const bytes of file.prints) await print(Buffer.from(bytes, 'base64'))
const line = Buffer.from(`${'x'.repeat(Math.max(0, file.repeats.line - 1))}\n`)
for (let times = 0; times < file.repeats.times; times++) await print(line)
if (file.ends === 'never') setInterval(() => {}, 1_000)
else process.exitCode = file.ends === 'done' ? 0 : 3

async function print(bytes: Uint8Array): Promise<void> {
  await new Promise((resolve) => process.stdout.write(bytes, resolve))
  const before = printed
  printed += bytes.length
  if (printed >> 16 !== before >> 16) writeFileSync(file.printedFile, String(printed))
}
