/** Shows Markdown of records, without any HTML of theirs. Images become links, so that nothing is loaded from elsewhere. */
import type { AlignType, Nodes, PhrasingContent, Root, RootContent } from 'mdast'
import type { ComponentChildren, JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Source } from '../service/service.ts'
import { pathOfQuestion, pathOfRecord } from './addresses.ts'
import { Link, Outside } from './link.tsx'
import { parseMarkdown } from './parse-markdown.ts'

interface Options {
  /** Of a brief: [1] in the text leads to the first of these. */
  citations?: readonly Source[] | undefined
  /** The level of the highest heading, 1 to 6. */
  top?: number
}

export function Markdown({ text, citations, top = 2 }: { text: string } & Options) {
  const tree = useMemo(() => parseMarkdown(text), [text])
  if (tree === undefined) return <div class="text">{text}</div>
  const showing = { citations, top, definitions: definitionsIn(tree) }
  return <div class="markdown">{tree.children.map((node, at) => shown(node, at, showing))}</div>
}

interface Showing extends Options {
  top: number
  definitions: ReadonlyMap<string, string>
}

/** The first definition of a name counts, wherever it is. */
function definitionsIn(tree: Root): Map<string, string> {
  const definitions = new Map<string, string>()
  const open: Nodes[] = [tree]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node.url)
    if ('children' in node) open.push(...node.children.toReversed())
  }
  return definitions
}

function shown(node: RootContent, key: number, showing: Showing): ComponentChildren {
  const inside = () => ('children' in node ? node.children.map((child, at) => shown(child, at, showing)) : [])
  switch (node.type) {
    case 'text':
      return withCitations(node.value, showing.citations)
    case 'paragraph':
      return <p key={key}>{inside()}</p>
    case 'heading': {
      const Heading = `h${Math.min(6, node.depth + showing.top - 1)}` as 'h2'
      return <Heading key={key}>{inside()}</Heading>
    }
    case 'list':
      return node.ordered ? (
        <ol key={key} start={node.start ?? 1}>
          {inside()}
        </ol>
      ) : (
        <ul key={key}>{inside()}</ul>
      )
    case 'listItem':
      return <li key={key}>{node.spread ? inside() : tight(node, showing)}</li>
    case 'emphasis':
      return <em key={key}>{inside()}</em>
    case 'strong':
      return <strong key={key}>{inside()}</strong>
    case 'blockquote':
      return <blockquote key={key}>{inside()}</blockquote>
    case 'inlineCode':
      return <InlineCode key={key} value={node.value} isInBrief={showing.citations !== undefined} />
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
    case 'linkReference':
      return (
        <Outside key={key} url={urlOf(node, showing)}>
          {inside()}
        </Outside>
      )
    case 'image':
    case 'imageReference':
      return (
        <Outside key={key} url={urlOf(node, showing)}>
          {node.alt || urlOf(node, showing)}
        </Outside>
      )
    case 'html':
      return /^<br\s*\/?>$/i.test(node.value) ? <br key={key} /> : node.value
    case 'table':
      return <Table key={key} node={node} showing={showing} />
    default:
      return null
  }
}

function urlOf(node: { url: string } | { identifier: string }, { definitions }: Showing): string {
  return 'url' in node ? node.url : (definitions.get(node.identifier) ?? '')
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

/** A brief ends the line of a question with its id, which says nothing to people. */
function InlineCode({ value, isInBrief }: { value: string; isInBrief: boolean }) {
  const code = <code>{value}</code>
  if (!/^(clarification|fact|judgment):\S+$/.test(value)) return code
  return (
    <span class={isInBrief ? 'citation' : undefined} title={value}>
      <Link to={pathOfQuestion(value)}>{isInBrief ? 'Answer' : code}</Link>
    </span>
  )
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
