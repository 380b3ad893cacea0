/** Finds references to other records in a text (links, numbers, file names, titles), and the reason given for them. */

import type { Inline } from '../document/markdown.ts'
import { continuesList, isForSome, namesPartInLink, partName, partsOf } from './part.ts'
import { topicAt } from './topic.ts'

/** A reference as it is written: the URL and text of a link, or a number, a file name or a title. */
export interface Target {
  url?: string
  text: string
  /** Only a part of the other record is meant: `ADR-7 §4`, `ADR-7 (in part)`, `ADR-7's queue`. */
  partial?: true
  /** Of several records, each is meant for one thing: `ADR-7 (for the API) and ADR-8 (for the UI)`. */
  shared?: true
  /** Words beside the reference that may name a topic of the other record: `ADR-7 (retry policy)`. */
  topic?: string
  /** Words in quotes, which may be no title. */
  quoted?: true
}

/** The alternatives in their order: link, wiki link, file name, slug, `ADR 7`, `DDR-023`, `#7`, `0007`, quoted title. */
const named =
  /\uE000(\d+)\uE001|\[\[([^\]|]+)(?:\|[^\]]*)?\]\]|([^\s,;()]+\.(?:mdx?|markdown|rst|adoc|html)\b)|(\b\d{8}(?:\d{4}|\d{6})?-[\p{L}\p{N}_-]+|\b\d{3,5}-\p{L}[\p{L}\p{N}_-]+)|(\b[ml]?ADR[\s#№_-]*\d{1,14}(?:-[\p{L}\p{N}_-]+)?)|(\b[A-Z]{2,8}-\d{1,14}(?:-[\p{L}\p{N}_-]+)?)|(?<!(?:issue|ticket|pr|request|bug|task)s?\s)(?:#|№|\bno\.?\s?)(\d{1,6})\b|(?<![\p{L}\d.,#/:–-])(0\d{3})(?![\p{L}\d/:_–-]|\.\p{L})|[“"«「『]([^”"»」』\uE000]{3,200})[”"»」』]/giu
const nothing =
  /^(?:(?:see|siehe|voir|v[eé]ase|vedi|zie)\s.*|n\/?a|yes|none|no|nothing|nil|tbd|null|keine?r?|aucune?|ninguno|ninguna|nenhuma?|nessuna?|なし|无|無|없음|нет)?$/iu

/**
 * `whole`: if no reference is found, the whole text is taken as numbers or as a title. `list`: only the first list of
 * references is read: in `ADR 3 and sits beside ADR 4`, only ADR 3. In a list behind a label, each reference may have an
 * explanation.
 */
export function targetsIn(written: string, inline: Inline, whole: boolean, list?: 'prose' | 'label'): Target[] {
  const text = eachNumber(written)
  // in `ADR-103 (2026-08-25, issue #5201)`, the brackets are about ADR-103 and contain no other reference
  const outside = text.replace(/[(（][^()（）]*[)）]/gu, (group, at: number) => {
    const earlier = text.slice(0, at)
    const isAbout = group.includes('\uE000') ? earlier.includes('\uE001') : /\d|\uE001/.test(earlier)
    return isAbout ? ' '.repeat(group.length) : group
  })
  const all = [...outside.matchAll(named)].filter(
    (match, at, each) => match[9] === undefined || namesRecord(match, outside, each.slice(0, at)),
  )
  const end = all.findIndex((match, at) => {
    const last = all[at - 1]
    const between = last && text.slice(last.index + last[0].length, match.index)
    const tail = text.slice(match.index + match[0].length)
    return list !== undefined && between !== undefined && !continuesList(between, tail, list === 'label')
  })
  const found = end < 0 ? all : all.slice(0, end)
  const around = found.map((match, at) => ({
    head: text.slice((found[at - 1]?.index ?? -1) + 1, match.index),
    tail: tailOf(text.slice(match.index + match[0].length, all[at + 1]?.index)),
  }))
  const partly = partsOf(around)
  const shared = found.length > 1 && around.every(({ tail }) => isForSome(tail)) && { shared: true as const }
  const targets = found.flatMap((match, at): Target[] => {
    const { head = '', tail = '' } = around[at] ?? {}
    const quoted = match[9] === undefined ? {} : { quoted: true as const }
    const link = match[1] === undefined ? undefined : inline.links[Number(match[1])]
    // a heading of the same file
    if (link?.url.startsWith('#') && !/\d/.test(link.text)) return []
    const topic = topicAt({ head, tail }, link?.url)
    const isPart = partly[at] || (link && namesPartInLink.test(link.text))
    const about = { ...(isPart && { partial: true as const }), ...shared, ...(topic !== undefined && { topic }) }
    if (link) return [{ url: link.url, text: link.text, ...about }]
    const name = (match.slice(2).find((piece) => piece !== undefined) ?? '').trim()
    return match[1] === undefined && name !== '' ? [{ text: name, ...about, ...quoted }] : []
  })
  return targets.length > 0 || !whole ? targets : wholeTargets(text)
}

/** Whether quoted words are the title of a record. Behind a reference, they explain: `ADR 4's “one store” rule`. */
function namesRecord(quoted: RegExpExecArray, text: string, earlier: readonly RegExpExecArray[]): boolean {
  return !partName.test(text.slice(quoted.index + quoted[0].length)) && earlier.every((match) => match[9] !== undefined)
}

/** `ADRs 60, 61 and 62` as `ADR 60, ADR 61 and ADR 62`, and `ADR 5–7` as `ADR 5, ADR 6, ADR 7`. */
function eachNumber(text: string): string {
  return text
    .replace(
      /\b(ADRs?)[\s#:-]{0,3}(\d{1,5})\s?(?:[–—]|\bto\b)\s?(?:ADR[\s#-]?)?(\d{1,5})(?!\d|[.-]\d)/giu,
      (range, _, first, last) => {
        const count = Number(last) - Number(first) + 1
        if (count < 2 || count > mostInRange) return range
        return Array.from({ length: count }, (_, at) => `ADR ${Number(first) + at}`).join(', ')
      },
    )
    .replace(
      /\bADRs?[\s#:-]{0,3}\d{1,5}(?:(?:\s*,\s*(?:and\s+)?|\s+(?:and|und|et|y|e|&)\s+|\s*[&/]\s*)#?\d{1,5}(?![\d./-]*\d))+|\bADRs[\s#:-]{0,3}\d{1,5}/giu,
      (list) => list.replace(/^ADRs?[\s#:-]*/i, '').replace(/#?(\d+)/g, 'ADR $1'),
    )
}

/** The rest of the sentence. */
const tailOf = (text: string) => text.split(/[.;。]\s/u, 1)[0] ?? ''

/** A longer range is rather no range of records. */
const mostInRange = 20

function wholeTargets(text: string): Target[] {
  const numbers = /^[\s:–—-]*((?:\d{1,6})(?:\s*(?:,|&|and|und|et|y|e)\s*\d{1,6})*)\s*(?:$|[.;(])/u.exec(text)?.[1]
  if (numbers) return (numbers.match(/\d+/g) ?? []).map((number) => ({ text: number }))
  const title = text
    .replace(/[\uE000\uE001]/g, '')
    .replace(/^[\s:–—→>~*-]+/u, '')
    .replace(/\s*[.(（;].*$/su, '')
    .trim()
  return title.length > 200 || nothing.test(title) || !/[\p{L}\p{N}]/u.test(title) ? [] : [{ text: title }]
}

/** The reason after the last link: `because …`, `— …` or in brackets. Empty if there is none. */
export function reasonIn(text: string, inline: Inline): string {
  const end = text.lastIndexOf('\uE001')
  const rest = (end < 0 ? text : text.slice(end + 1)).replace(
    /\uE000(\d+)\uE001/g,
    (_, at) => inline.links[Number(at)]?.text ?? '',
  )
  const match =
    /^[\s,;:]*[(（]([^)）]{8,})[)）]/su.exec(rest) ??
    /(?:^|[\s,;:–—-])((?:because|since|due to|weil|da|parce que|car|porque|perche|omdat)\s.{4,})$/isu.exec(rest) ??
    /^\s*[–—:-]\s+(.{8,})$/su.exec(rest)
  return (match?.[1] ?? '')
    .replace(/\s+/gu, ' ')
    .replace(/[.。\s]+$/u, '')
    .slice(0, 2000)
}
