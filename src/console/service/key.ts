/** The key of the reader: kept for this tab or, if they asked for that, in this browser until they sign out. */
export interface Entered {
  key: string
  where: 'tab' | 'browser'
}

export interface KeyStore {
  stored(): Entered | undefined
  store(entered: Entered): void
  forget(): void
  /** Forgets the key, and tells the other tabs. */
  signOut(): void
  /** Calls `signedOut` if the reader signs out in another tab. Returns what ends that. */
  listen(signedOut: () => void): () => void
  notes: Notes
}

/** What the console stores for the reader: in the same place as the key, and until the key is removed. */
export interface Notes {
  read(name: string): string | undefined
  write(name: string, text: string): void
}

/** `root`: the path of the service. Each service of an origin has keys of its own. */
export function createKeyStore(root: string): KeyStore {
  const name = `precedent.key${root.slice(0, -1)}`
  const [tab, browser] = [storage('sessionStorage'), storage('localStorage')]
  const forget = () => {
    for (const kept of [tab, browser]) {
      const names = Object.keys(kept ?? {}).filter((one) => one === name || one.startsWith(`${name}#`))
      for (const one of names) kept?.removeItem(one)
    }
  }
  const withKey = () => [tab, browser].find((kept) => kept?.getItem(name))
  return {
    stored() {
      const ofTab = tab?.getItem(name)
      if (ofTab) return { key: ofTab, where: 'tab' }
      const ofBrowser = browser?.getItem(name)
      return ofBrowser ? { key: ofBrowser, where: 'browser' } : undefined
    },
    store({ key, where }) {
      forget()
      const kept = where === 'tab' ? tab : browser
      kept?.setItem(name, key)
    },
    forget,
    signOut() {
      forget()
      const channel = new BroadcastChannel(name)
      channel.postMessage('signed out')
      channel.close()
    },
    listen(signedOut) {
      const channel = new BroadcastChannel(name)
      channel.onmessage = signedOut
      return () => channel.close()
    },
    notes: {
      read: (of) => withKey()?.getItem(`${name}#${of}`) ?? undefined,
      write: (of, text) => withKey()?.setItem(`${name}#${of}`, text),
    },
  }
}

/** undefined: the browser lets this site keep nothing. The key then lasts until the page is loaded again. */
function storage(name: 'sessionStorage' | 'localStorage'): Storage | undefined {
  try {
    return window[name]
  } catch (error) {
    if (error instanceof DOMException && error.name === 'SecurityError') return undefined
    throw error
  }
}
