import { escape } from '../render/escape.js'
import { excerpt } from '../content/excerpt.js'

const newest = 20

export function handle(pages, config) {
  const entries = pages
    .filter(({ date }) => date)
    .slice(0, newest)
    .map(
      (page) => `<entry><title>${escape(page.title)}</title><id>${config.base_url}${page.url}</id>
<updated>${new Date(page.date).toISOString()}</updated>
<summary>${escape(excerpt(page.body, config.excerpt_words))}</summary></entry>`,
    )
  return `<feed xmlns="http://www.w3.org/2005/Atom"><title>${escape(config.title)}</title>${entries.join('\n')}</feed>`
}
