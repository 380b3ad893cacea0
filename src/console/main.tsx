/** Starts the console in the page that src/http/console.ts serves. */
import { render } from 'preact'
import { Console } from './console.tsx'

const { pathname, search } = location
// a link to `//search` would lead to the host `search`. Some proxies join slashes, so that the service serves such a page
if (pathname.startsWith('//')) location.replace(pathname.replace(/^\/+/, '/') + search)
else {
  const element = document.getElementById('console') as HTMLElement
  render(<Console root={new URL(element.dataset.root || './', location.href).pathname} />, element)
}
