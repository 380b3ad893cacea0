import type { ReactNode } from 'react'

interface Props<T> {
  items: T[]
  render: (item: T) => ReactNode
}

/** Shows a list. */
export function List<T>({ items, render }: Props<T>) {
  const onClick = () => items.pop()
  return (
    <ul onClick={onClick}>
      {items.map((item) => (
        <li>{render(item)} function fake() {'{ class Fake {} }'}</li>
      ))}
    </ul>
  )
}

export const Button: React.FC<{ label: string }> = ({ label }) => <button>{label}</button>

export class Panel extends React.Component<Props<string>> {
  state = { open: false }
  toggle = () => this.setState({ open: true })
  render() {
    return <List<string> items={[]} render={(x) => <b>{x}</b>} />
  }
}
