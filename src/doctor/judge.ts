/** Checks the judge: it finds a plain contradiction, over an encrypted connection. */
import type { JudgeSettings } from '../../config/engines.ts'
import { openaiJudge } from '../adapters/openai/judge.ts'
import { plainHttpNote } from './encryption.ts'
import { type Finding, note, ok, unavailableFinding } from './finding.ts'

const what = 'PRECEDENT_JUDGE_URL'
/** ms. */
const answersWithin = 60_000
/** ms that comparing waits for the verdicts on one record (questions/compare/ask-judge.ts). */
const fastEnough = 15_000

const pair = {
  newer: { title: '', text: 'Backups are kept for 90 days.' },
  older: { title: '', text: 'Backups are kept for 30 days.' },
}

export async function* examineJudge(settings: JudgeSettings): AsyncGenerator<Finding> {
  const plain = plainHttpNote(what, settings.url, 'judge')
  if (plain) yield plain
  try {
    const since = Date.now()
    const [verdict] = await openaiJudge(settings).judge([pair], AbortSignal.timeout(answersWithin))
    const took = Date.now() - since
    if (verdict?.label !== 'contradiction' && verdict?.label !== 'update') {
      const said = verdict === undefined ? 'gives no usable verdict' : `says “${verdict.label}”`
      yield note(what, `the model ${settings.model} ${said} on a plain contradiction`, 'Use a larger model.')
    } else if (took > fastEnough) {
      const found = `a verdict takes ${took} ms, but comparing waits only ${fastEnough} ms and then uses rules only`
      yield note(what, found, 'Keep the model loaded, use a smaller model, or run it closer to the service.')
    } else yield ok(what, `the model ${settings.model} finds a contradiction in ${took} ms`)
  } catch (error) {
    const remedy = 'Start it, or correct the URL, the model and the key. Until then, claims are compared by rules only.'
    yield unavailableFinding(what, error, remedy)
  }
}
