/** Starts the console in the page that src/http/console.ts serves. */
import { render } from 'preact'
import { Console } from './console.tsx'

const element = document.getElementById('console') as HTMLElement
render(<Console root={new URL(element.dataset.root || './', location.href).pathname} />, element)
