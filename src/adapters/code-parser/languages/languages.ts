/** The languages that have a grammar, by name. */
import { bash } from './bash.ts'
import { c, cpp } from './c.ts'
import { csharp } from './csharp.ts'
import { javascript, tsx, typescript } from './ecmascript.ts'
import { go } from './go.ts'
import { hcl } from './hcl.ts'
import { java } from './java.ts'
import { kotlin } from './kotlin.ts'
import type { Language } from './language.ts'
import { php } from './php.ts'
import { python } from './python.ts'
import { ruby } from './ruby.ts'
import { rust } from './rust.ts'
import { scala } from './scala.ts'
import { swift } from './swift.ts'
import { yaml } from './yaml.ts'

const all = [
  ...[bash, c, cpp, csharp, go, hcl, java, javascript, kotlin],
  ...[php, python, ruby, rust, scala, swift, typescript, yaml],
]
const byName = new Map(all.map((one) => [one.name, one]))

/** The language of a file with its grammar. Undefined: there is no grammar for it. */
export function grammarFor(name: string, path: string): Language | undefined {
  return name === 'typescript' && /\.[cm]?tsx$/i.test(path) ? tsx : byName.get(name)
}
