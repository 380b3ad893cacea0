/** What a session left to be done: the sentences of its outcome that say so. */
import { sentencesOf } from '../../../text/sentences.ts'
import { oneLine } from './in-line.ts'
import { plainText } from './plain-text.ts'

/** UTF-16 units of the text that are read. */
const mostRead = 4_000

const left =
  /\b(?:left|next|remain(?:s|ing)?|open|missing|not (?:done|started|yet|tested|sent|repaired)|nothing has|to ?do|still|waits?|waiting|blocked|pending|unfinished|follow[- ]up|continue|no (?:new )?date|not been|did not take place|repeat|wants?|needs?|must|has to|have to|stall\w*|fail\w*|do not|don['’]t|nobody|unknown|unclear|owes?|asks?)\b/i

/** Empty if it left nothing. */
export function leftOpen(text: string): string {
  const sentences = sentencesOf(plainText(text.slice(0, mostRead)))
  return sentences
    .filter(({ own, isHeading }) => !isHeading && left.test(own))
    .map((one) => oneLine(one.text))
    .join(' ')
}
