/** The head of all pages: links to them in groups. On a narrow screen they are in a menu. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import {
  pathOfChanges,
  pathOfImport,
  pathOfKeys,
  pathOfOperations,
  pathOfQuestions,
  pathOfReceipts,
  pathOfRepositories,
  pathOfTasks,
} from './parts/addresses.ts'
import { Link } from './parts/link.tsx'

const groups: readonly { name: string; pages: readonly (readonly [path: string, text: string])[] }[] = [
  {
    name: 'Records',
    pages: [
      ['', 'Home'],
      ['search', 'Search'],
      [pathOfQuestions, 'Questions'],
      [pathOfChanges, 'Changes'],
      [pathOfImport, 'Import'],
    ],
  },
  {
    name: 'Work',
    pages: [
      [pathOfTasks, 'Tasks'],
      [pathOfRepositories, 'Repositories'],
      [pathOfReceipts, 'Receipts'],
    ],
  },
  {
    name: 'Administration',
    pages: [
      [pathOfOperations, 'Operations'],
      [pathOfKeys, 'Keys'],
    ],
  },
]

export function Navigation({ root, onSignOut }: { root: string; onSignOut: () => void }) {
  const { path } = useLocation()
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  // a link was followed
  useEffect(() => setIsOpen(false), [path])
  const isHere = (to: string) => (to === '' ? path === (root.replace(/\/$/, '') || '/') : isAtOrBelow(path, root + to))
  const here = groups.flatMap(({ pages }) => pages).find(([to]) => isHere(to))
  const keyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return
    setIsOpen(false)
    button.current?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its button and links have the focus
    <header onKeyDown={keyDown}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <button
        type="button"
        ref={button}
        class="other menu"
        aria-expanded={isOpen}
        aria-controls="pages"
        onClick={() => setIsOpen(!isOpen)}
      >
        Menu{here && <span class="hint"> {here[1]}</span>}
      </button>
      <nav id="pages" aria-label="Pages" class={isOpen ? 'open' : undefined}>
        {groups.map(({ name, pages }) => (
          <ul key={name} aria-label={name} class="plain">
            {pages.map(([to, text]) => (
              <li key={to}>
                <Link to={to} isHere={isHere(to)}>
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <span class="grow" />
      <Link to="docs">API</Link>
      <button type="button" class="quiet" onClick={onSignOut}>
        Sign out
      </button>
    </header>
  )
}

const isAtOrBelow = (path: string, page: string) => path === page || path.startsWith(`${page}/`)
