/** The key of the reader: kept for this tab, or in this browser until the reader signs out, if they asked for that. */
const name = 'precedent.key'

export function storedKey(): string | undefined {
  return sessionStorage.getItem(name) ?? localStorage.getItem(name) ?? undefined
}

export function storeKey(key: string, where: 'tab' | 'browser'): void {
  forgetKey()
  const storage = where === 'tab' ? sessionStorage : localStorage
  storage.setItem(name, key)
}

export function forgetKey(): void {
  sessionStorage.removeItem(name)
  localStorage.removeItem(name)
}
