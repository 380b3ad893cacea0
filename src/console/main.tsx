/** Starts the console in the page that src/http/console.ts serves. */
import { render } from 'preact'
import { Console } from './console.tsx'

const { pathname, search } = location
// a link to `//search` would lead to the host `search`. Some proxies join slashes, so that the service serves such a page
if (pathname.startsWith('//')) location.replace(pathname.replace(/^\/+/, '/') + search)
else {
  const element = document.getElementById('console') as HTMLElement
  const root = new URL(element.dataset.root || './', location.href).pathname
  const { importThread = '', translateThread = '' } = element.dataset
  const threads = { import: `${root}console/${importThread}`, translate: `${root}console/${translateThread}` }
  render(<Console root={root} threads={threads} />, element)
}
