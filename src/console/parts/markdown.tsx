/** Shows Markdown of records, without any HTML of theirs. Images become links, so that nothing is loaded from elsewhere. */
import type { AlignType, Nodes, PhrasingContent, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import type { ComponentChildren, JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Source } from '../service/service.ts'
import { pathOfQuestion, pathOfRecord } from './addresses.ts'
import { Link, Outside } from './link.tsx'

interface Options {
  /** Of a brief: [1] in the text leads to the first of these. */
  citations?: readonly Source[] | undefined
  /** The level of the highest heading, 1 to 6. */
  top?: number
}

export function Markdown({ text, citations, top = 2 }: { text: string } & Options) {
  const tree = useMemo(
    () => fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }),
    [text],
  )
  const definitions = new Map(
    tree.children.flatMap((node) => (node.type === 'definition' ? [[node.identifier, node.url] as const] : [])),
  )
  return <div class="markdown">{tree.children.map((node, at) => shown(node, at, { citations, top, definitions }))}</div>
}

interface Showing extends Options {
  top: number
  definitions: ReadonlyMap<string, string>
}

function shown(node: RootContent, key: number, showing: Showing): ComponentChildren {
  const children = 'children' in node ? node.children.map((child, at) => shown(child, at, showing)) : []
  switch (node.type) {
    case 'text':
      return withCitations(node.value, showing.citations)
    case 'paragraph':
      return <p key={key}>{children}</p>
    case 'heading': {
      const Heading = `h${Math.min(6, node.depth + showing.top - 1)}` as 'h2'
      return <Heading key={key}>{children}</Heading>
    }
    case 'list':
      return node.ordered ? (
        <ol key={key} start={node.start ?? 1}>
          {children}
        </ol>
      ) : (
        <ul key={key}>{children}</ul>
      )
    case 'listItem':
      return <li key={key}>{node.spread ? children : tight(node, showing)}</li>
    case 'emphasis':
      return <em key={key}>{children}</em>
    case 'strong':
      return <strong key={key}>{children}</strong>
    case 'blockquote':
      return <blockquote key={key}>{children}</blockquote>
    case 'inlineCode':
      return <InlineCode key={key} value={node.value} />
    case 'code':
      return (
        <pre key={key}>
          <code>{node.value}</code>
        </pre>
      )
    case 'break':
      return <br key={key} />
    case 'thematicBreak':
      return <hr key={key} />
    case 'link':
      return (
        <Outside key={key} url={node.url}>
          {children}
        </Outside>
      )
    case 'linkReference':
      return (
        <Outside key={key} url={showing.definitions.get(node.identifier) ?? ''}>
          {children}
        </Outside>
      )
    case 'image':
      return (
        <Outside key={key} url={node.url}>
          {node.alt || node.url}
        </Outside>
      )
    case 'imageReference':
      return node.alt ?? ''
    case 'html':
      return node.value
    case 'table':
      return <Table key={key} node={node} showing={showing} />
    default:
      return null
  }
}

/** The items of a list without blank lines have no paragraphs. */
function tight(item: Extract<Nodes, { type: 'listItem' }>, showing: Showing): ComponentChildren {
  return item.children.map((child, at) =>
    child.type === 'paragraph' ? phrasing(child.children, showing) : shown(child, at, showing),
  )
}

function phrasing(nodes: readonly PhrasingContent[], showing: Showing): ComponentChildren {
  return nodes.map((node, at) => shown(node, at, showing))
}

function Table({ node, showing }: { node: Extract<Nodes, { type: 'table' }>; showing: Showing }) {
  const [head, ...rows] = node.children
  const cell = (content: readonly PhrasingContent[], at: number, Cell: 'th' | 'td'): JSX.Element => (
    <Cell key={at} class={alignment(node.align?.[at])}>
      {phrasing(content, showing)}
    </Cell>
  )
  return (
    <div class="wide">
      <table>
        <thead>
          <tr>{head?.children.map(({ children }, at) => cell(children, at, 'th'))}</tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>{row.children.map(({ children }, column) => cell(children, column, 'td'))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const alignment = (align: AlignType | undefined) => (align ? `align-${align}` : undefined)

/** A brief names each question by its id. */
function InlineCode({ value }: { value: string }) {
  const code = <code>{value}</code>
  return /^(clarification|fact|judgment):\S+$/.test(value) ? <Link to={pathOfQuestion(value)}>{code}</Link> : code
}

function withCitations(text: string, citations: readonly Source[] | undefined): ComponentChildren {
  if (citations === undefined) return text
  return text.split(/\[(\d{1,4})\]/).map((part, at) => {
    if (at % 2 === 0) return part
    const source = citations[Number(part) - 1]
    const path = source && pathOfRecord(source)
    if (path === undefined) return `[${part}]`
    return (
      <span class="citation" key={at} title={source?.title}>
        <Link to={path}>[{part}]</Link>
      </span>
    )
  })
}
