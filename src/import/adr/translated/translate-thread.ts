/** Entry point of the thread that translates records (translator.ts). */
import { answerInThread } from '../../../ports/idle-thread.ts'
import { type ToTranslate, toMarkdown } from './to-markdown.ts'

answerInThread<ToTranslate>(toMarkdown)
