import { useEffect, useState } from 'preact/hooks'

/**
 * What is typed into the filters of a page, until it is sent. `address`: that of the page, which holds `asked`. It may
 * change without the form, for example by the Back button.
 */
export function useFields<Fields extends object>(asked: Fields, address: string) {
  const [fields, setFields] = useState(asked)
  useEffect(() => setFields(asked), [address])
  const set = (name: keyof Fields) => (value: string) => setFields((before) => ({ ...before, [name]: value }))
  return { fields, set }
}
