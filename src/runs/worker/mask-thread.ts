/** Entry point of the thread that masks credentials (masker.ts). */
import { answerInThread } from '../../ports/idle-thread.ts'
import { masked, maskedJson } from '../../secrets/mask.ts'

/** `from`: the parameter of masked() for a text. undefined: `value` is not a text, but JSON. */
export interface MaskRequest {
  value: unknown
  from: number | undefined
}

answerInThread<MaskRequest>(({ value, from }) =>
  from === undefined ? maskedJson(value) : masked(value as string, from),
)
