/** Other records as a text names them: links, numbers, names of files, titles; and why they are named. */
import { partialWords } from './dictionary.ts'
import type { Inline } from './markdown.ts'

/** As it is written: what a link points to and its text, or a number, a file's name, a title. */
export interface Target {
  url?: string
  text: string
  /** Only a part of it is meant: `ADR-7 §4`, `ADR-7 (in part)`, `ADR-7's queue`. */
  partial?: true
}

/** In the order of the alternatives: link, wiki link, file, slug, `ADR 7`, `DDR-023`, `#7`, a quoted title. */
const named =
  /\uE000(\d+)\uE001|\[\[([^\]|]+)(?:\|[^\]]*)?\]\]|([^\s,;()]+\.(?:mdx?|markdown|html)\b)|(\b\d{8}-[\p{L}\p{N}_-]+|\b\d{3,5}-\p{L}[\p{L}\p{N}_-]+)|(\b[ml]?ADR[\s#№_-]*\d{1,14}(?:-[\p{L}\p{N}_-]+)?)|(\b[A-Z]{2,8}-\d{1,14}(?:-[\p{L}\p{N}_-]+)?)|(?<!(?:issue|ticket|pr|request|bug|task)s?\s)(?:#|№|\bno\.?\s?)(\d{1,6})\b|[“"«「『]([^”"»」』]{3,200})[”"»」』]/giu
const partOnly = /^['’]s\b|^\s*(?:§|[(（,—–-]*\s*(?:§|only\b|nur\b|seulement\b|solo\b|somente\b))|のみ/u
const nothing =
  /^(?:n\/?a|none|no|nothing|nil|tbd|null|keine?r?|aucune?|ninguno|ninguna|nenhuma?|nessuna?|なし|无|無|없음|нет)?$/iu

/** `whole`: where there is nothing of these, all of it as numbers or a title. */
export function targetsIn(text: string, inline: Inline, whole: boolean): Target[] {
  // `ADR-103 (2026-08-25, issue #5201)`: what is in brackets is said of the one before
  const outside = text.replace(/[(（][^()（）\uE000]*[)）]/gu, (group, at: number) =>
    /\d|\uE001/.test(text.slice(0, at)) ? ' '.repeat(group.length) : group,
  )
  const found = [...outside.matchAll(named)]
  const targets = found.flatMap((match, at): Target[] => {
    const tail = text.slice(match.index + match[0].length, found[at + 1]?.index).split(/[.;。]\s/u, 1)[0] ?? ''
    const partial = partOnly.test(tail) || partialWords.test(tail.toLowerCase()) ? { partial: true as const } : {}
    const link = match[1] === undefined ? undefined : inline.links[Number(match[1])]
    if (link) return [{ url: link.url, text: link.text, ...partial }]
    const name = (match.slice(2).find((part) => part !== undefined) ?? '').trim()
    return match[1] === undefined && name !== '' ? [{ text: name, ...partial }] : []
  })
  return targets.length > 0 || !whole ? targets : wholeTargets(text)
}

function wholeTargets(text: string): Target[] {
  const numbers = /^[\s:–—-]*((?:\d{1,6})(?:\s*(?:,|&|and|und|et|y|e)\s*\d{1,6})*)\s*(?:$|[.;(])/u.exec(text)?.[1]
  if (numbers) return (numbers.match(/\d+/g) ?? []).map((number) => ({ text: number }))
  const title = text
    .replace(/[\uE000\uE001]/g, '')
    .replace(/^[\s:–—→>~*-]+/u, '')
    .replace(/\s*[.(（;].*$/su, '')
    .trim()
  return title.length > 200 || nothing.test(title) ? [] : [{ text: title }]
}

/** Why, where it is said after the last link: `because …`, `— …` or in brackets; empty where it isn't. */
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
