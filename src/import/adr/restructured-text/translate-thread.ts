/** Entry point of the thread that translates reStructuredText (translator.ts). */
import { answerInThread } from '../../../ports/idle-thread.ts'
import { toMarkdown } from './markdown.ts'

answerInThread<string>(toMarkdown)
