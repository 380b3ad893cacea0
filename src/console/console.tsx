/** The frame of all pages: signing in, navigation, and which page an address shows. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { LocationProvider, Route, Router } from 'preact-iso/router'
import { forgetImport } from './import/session.ts'
import { Navigation } from './navigation.tsx'
import { ChangesPage } from './pages/changes.tsx'
import { DecisionPage } from './pages/decision.tsx'
import { HomePage } from './pages/home.tsx'
import { ImportPage } from './pages/import.tsx'
import { KeysPage } from './pages/keys.tsx'
import { MemoryPage } from './pages/memory.tsx'
import { OperationsPage } from './pages/operations.tsx'
import { QuestionPage } from './pages/question.tsx'
import { QuestionsPage } from './pages/questions.tsx'
import { ReceiptPage } from './pages/receipt.tsx'
import { ReceiptsPage } from './pages/receipts.tsx'
import { RepositoriesPage } from './pages/repositories.tsx'
import { RepositoryPage } from './pages/repository.tsx'
import { SearchPage } from './pages/search.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { TaskPage } from './pages/task.tsx'
import { TasksPage } from './pages/tasks.tsx'
import { SurroundingsContext, type Threads } from './parts/context.ts'
import { forgetDrafts } from './parts/draft.ts'
import { Link } from './parts/link.tsx'
import { Page } from './parts/page.tsx'
import { createKeyStore, type Entered } from './service/key.ts'
import { createService } from './service/service.ts'

export function Console({ root, threads }: { root: string; threads: Threads }) {
  const keys = useMemo(() => createKeyStore(root), [root])
  const [entered, setEntered] = useState(keys.stored)
  const [isUnknown, setIsUnknown] = useState(false)
  const latest = useRef(entered)
  latest.current = entered
  const surroundings = useMemo(() => {
    if (entered === undefined) return undefined
    const onUnknownKey = () => {
      // an answer to the key before comes late
      if (latest.current !== entered) return
      keys.forget()
      setIsUnknown(true)
    }
    const service = createService(root, entered.key, onUnknownKey)
    return { root, threads, apiKey: entered.key, service, notes: keys.notes }
  }, [root, threads, keys, entered])
  const signIn = (next: Entered) => {
    keys.store(next)
    setIsUnknown(false)
    setEntered(next)
  }
  useEffect(() => {
    // another reader may use the tab from now on
    if (entered !== undefined) return
    forgetDrafts()
    forgetImport()
  }, [entered])
  useEffect(() => {
    if (entered?.where === 'browser') return keys.listen(() => setEntered(undefined))
    return undefined
  }, [keys, entered])
  const signOut = () => {
    keys.signOut()
    setEntered(undefined)
  }
  if (surroundings === undefined) return <SignIn onKey={signIn} wasUnknown={false} />
  return (
    <SurroundingsContext.Provider value={surroundings}>
      {isUnknown && <SignIn onKey={signIn} wasUnknown />}
      {/* if the key was revoked while somebody wrote, the text must still be there with another key */}
      <div hidden={isUnknown}>
        <Pages root={root} onSignOut={signOut} />
      </div>
    </SurroundingsContext.Provider>
  )
}

function Pages({ root, onSignOut }: { root: string; onSignOut: () => void }) {
  return (
    <LocationProvider scope={pagesIn(root)}>
      <Navigation root={root} onSignOut={onSignOut} />
      <Router onRouteChange={toTop}>
        <Route path={root} component={HomePage} />
        <Route path={`${root}search`} component={SearchPage} />
        <Route path={`${root}questions`} component={QuestionsPage} />
        <Route path={`${root}questions/:id`} component={QuestionPage} />
        <Route path={`${root}decisions/:id`} component={DecisionPage} />
        <Route path={`${root}memories/:id`} component={MemoryPage} />
        <Route path={`${root}tasks`} component={TasksPage} />
        <Route path={`${root}tasks/:id`} component={TaskPage} />
        <Route path={`${root}changes`} component={ChangesPage} />
        <Route path={`${root}repositories`} component={RepositoriesPage} />
        <Route path={`${root}repositories/:owner/:name`} component={RepositoryPage} />
        <Route path={`${root}operations`} component={OperationsPage} />
        <Route path={`${root}keys`} component={KeysPage} />
        <Route path={`${root}receipts`} component={ReceiptsPage} />
        <Route path={`${root}receipts/:id`} component={ReceiptPage} />
        <Route path={`${root}import`} component={ImportPage} />
        <Route default component={NoPage} />
      </Router>
    </LocationProvider>
  )
}

/** Links to other addresses of the service, such as /docs, are left to the browser. */
function pagesIn(root: string): RegExp {
  const escaped = root.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const pages = [
    '(search|questions|tasks|changes|repositories|operations|keys|receipts|import)?',
    '(questions|decisions|memories|tasks|receipts)/[^/?]+',
    'repositories/[^/?]+/[^/?]+',
  ]
  return new RegExp(`^${escaped}(${pages.join('|')})(\\?.*)?$`)
}

function toTop(): void {
  scrollTo(0, 0)
  document.getElementById('content')?.focus({ preventScroll: true })
}

function NoPage() {
  return (
    <Page title="There is no such page">
      <p>
        The <Link to="">home page</Link> shows what to know now.
      </p>
    </Page>
  )
}
