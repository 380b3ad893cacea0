/** Reads what drove a decision: the list below “Decision Drivers”. */
import { isVisible } from '../../validation/schema.ts'
import { clean } from './document/clean.ts'
import { type AdrDocument, blocksIn } from './document/document.ts'
import type { Section } from './document/headings.ts'
import { joined, span } from './document/markdown.ts'
import { isUnfilled } from './document/placeholder.ts'
import { isOwn } from './own-sections.ts'

/** The items of the lists. Without a list, the whole text. */
export function driversOf(document: AdrDocument): string[] {
  return document.sections
    .filter((section) => section.kind === 'drivers' && isOwn(section))
    .flatMap((section) => {
      const lists = blocksIn(document, section.bodyStart, section.end).filter(({ type }) => type === 'list')
      if (lists.length === 0) return [clean(document.text.slice(section.bodyStart, section.end))]
      return lists.flatMap((list) =>
        list.type === 'list'
          ? list.children.map((item) =>
              clean(document.text.slice(...span(item)).replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '')),
            )
          : [],
      )
    })
    .filter((text) => isVisible(text) && /[\p{L}\p{N}]/u.test(text) && !isUnfilled(text))
}

/** The text beside the lists, which is no driver. Empty if there is no list. */
export function besideDrivers(document: AdrDocument, section: Section): string {
  const blocks = blocksIn(document, section.bodyStart, section.end)
  if (!blocks.some(({ type }) => type === 'list')) return ''
  const others = blocks.filter(({ type }) => type !== 'list' && type !== 'heading')
  return joined(...others.map((block) => document.text.slice(...span(block))))
}
