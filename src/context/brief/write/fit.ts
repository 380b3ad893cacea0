/** Chooses how much a page tells of each record, so that a page without a query is short enough. */
import type { Presenting } from '../../../records/present/present.ts'
import type { Material } from '../choose/material.ts'
import type { Item } from '../find/found.ts'
import { foremostFirst } from './foremost.ts'
import { inShort } from './items.ts'
import { newPage, type Page } from './page.ts'
import { type Asked, aboutSomething, type Form, type Further, writeBrief } from './write.ts'

/** Characters of a page without a query. The last line, which explains the numbers, is added later. */
const longest = 5_900
const whole = Number.POSITIVE_INFINITY

const rich = { mostListed: 3, mostInforming: whole }
const poor = { mostListed: 1, mostInforming: 1 }
/**
 * What informs becomes shorter from form to form, before what binds does: `shortIfBinds` is the least that each form
 * leaves to what binds.
 */
const forms: readonly Form[] = [
  { ...rich, short: 360, shortIfBinds: 360, longestTitle: whole },
  { ...rich, short: inShort, shortIfBinds: 260, longestTitle: 130 },
  { ...rich, short: 100, shortIfBinds: 200, shortIfFull: 320, longestTitle: 130 },
  { ...poor, short: 90, shortIfBinds: 130, shortIfFull: 240, longestTitle: 80, mostListed: 2, mostInforming: 2 },
]
/** For more records. Half a sentence of each would tell nothing, so as many as fit are told, and the others only named. */
const divided: readonly Form[] = [
  { ...poor, short: 30, shortIfBinds: 30, shortIfForemost: 220, shortIfFull: 200, longestTitle: 60 },
  { ...poor, short: 20, shortIfBinds: 20, shortIfForemost: 220, shortIfFull: 100, longestTitle: 25 },
  { ...poor, short: 15, shortIfBinds: 15, shortIfForemost: 220, shortIfFull: 45, longestTitle: 20 },
]
/** Characters by which a line that binds may be shorter than there is room for. */
const unusedAtMost = 8

export async function writtenToFit(
  asked: Omit<Asked, 'foremost'>,
  material: Material,
  further: readonly Further[],
  presenting: Presenting,
): Promise<Page> {
  const written = async (form: Form, foremost?: readonly Item[]) => {
    const page = newPage(presenting)
    await writeBrief(foremost ? { ...asked, foremost: new Set(foremost) } : asked, form, material, further, page)
    return page
  }
  if (asked.about !== undefined) return written(aboutSomething)
  // found once, and not for each form
  const { pressing, others } = foremostFirst(material, asked)
  let tooLong: number | undefined
  for (const form of forms) {
    const withLines = (shortIfBinds: number) => written({ ...form, shortIfBinds }, pressing)
    const page = await withLines(form.shortIfBinds)
    if (page.length() <= longest) {
      return tooLong === undefined ? page : largest(page, form.shortIfBinds, tooLong, withLines, unusedAtMost)
    }
    tooLong = form.shortIfBinds
  }
  const foremost = [...pressing, ...others]
  let page = newPage(presenting)
  for (const form of divided) {
    const withFirst = (count: number) => written(form, foremost.slice(0, count))
    page = await withFirst(0)
    if (page.length() <= longest) return largest(page, 0, foremost.length + 1, withFirst)
  }
  return page
}

/** The page written with the largest number below `tooLarge` that fits. `page` is the one written with `fits`. */
async function largest(
  page: Page,
  fits: number,
  tooLarge: number,
  written: (number: number) => Promise<Page>,
  precision = 1,
): Promise<Page> {
  if (tooLarge - fits <= precision) return page
  const middle = Math.floor((fits + tooLarge) / 2)
  const next = await written(middle)
  return next.length() <= longest
    ? largest(next, middle, tooLarge, written, precision)
    : largest(page, fits, middle, written, precision)
}
