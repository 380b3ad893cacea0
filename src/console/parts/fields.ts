import { useState } from 'preact/hooks'

/**
 * What is typed into the filters of a page, until it is sent. `address`: the address of the page, which tells `asked`. When it
 * changes, for example by the Back button, what was typed is dropped.
 */
export function useFields<Fields extends object>(asked: Fields, address: string) {
  const [typed, setTyped] = useState({ address, fields: asked })
  const fieldsOf = (state: typeof typed) => (state.address === address ? state.fields : asked)
  const set = (name: keyof Fields) => (value: string) =>
    setTyped((before) => ({ address, fields: { ...fieldsOf(before), [name]: value } }))
  return { fields: fieldsOf(typed), set }
}
