/** Chooses how much a page tells of each record, so that a page without a query is short enough. */
import type { Presenting } from '../../../records/present/present.ts'
import type { Material } from '../choose/material.ts'
import type { Item } from '../find/found.ts'
import { foremostFirst } from './foremost.ts'
import { inShort } from './items.ts'
import { newPage, type Page } from './page.ts'
import { type Asked, aboutSomething, type Form, type Further, writeBrief } from './write.ts'

/** Characters of a page without a query. The last line, which explains the numbers in some 57 characters, is added later. */
const longest = 5_940
const whole = Number.POSITIVE_INFINITY

const rich = { mostListed: 3, mostInforming: whole }
const poor = { mostListed: 1, mostInforming: 1 }
/**
 * What informs becomes shorter from form to form, before what binds does: `shortIfBinds` is the least that each form
 * leaves to what binds. Decisions that were imported give up their judgments first.
 */
const forms: readonly Form[] = [
  { ...rich, short: 360, shortIfBinds: 360, shortIfImported: 360, longestTitle: whole },
  { ...rich, short: inShort, shortIfBinds: 260, shortIfImported: inShort, longestTitle: 130 },
  { ...rich, short: 100, shortIfBinds: 200, shortIfImported: 60, shortIfFull: 320, longestTitle: 130 },
  {
    ...{ ...poor, short: 90, shortIfBinds: 130, shortIfImported: 60, shortIfFull: 240, longestTitle: 80 },
    ...{ mostListed: 2, mostInforming: 2 },
  },
]
/**
 * For more records. Half a sentence of each would tell nothing, so as many as fit are told, and the others only named. A form
 * is used only if at least `leastTold` of these records are told, as a share.
 */
const divided: readonly (Form & { leastTold: number })[] = [
  { ...named(60), shortIfFull: 200, longestTitle: 60, leastTold: 0.5 },
  { ...named(20), shortIfFull: 200, longestTitle: 45, leastTold: 0 },
  { ...named(20), shortIfFull: 100, longestTitle: 25, leastTold: 0, shortIfRecent: 20 },
  { ...named(15), shortIfFull: 45, longestTitle: 20, leastTold: 0, shortIfRecent: 15 },
]
/** Characters of a line that names a record, if there is room for as many. More would be half a sentence. */
const longestNamed = 60
/** Characters by which a line that binds may be shorter than there is room for. */
const unusedAtMost = 8

/** `length`: characters of a line that names a record. */
function named(length: number): Omit<Form, 'shortIfFull' | 'longestTitle'> {
  const same = { short: length, shortIfBinds: length, shortIfImported: length }
  return { ...poor, ...same, shortIfRecent: 60, shortIfForemost: inShort }
}

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
      return tooLong === undefined
        ? page
        : (await largest(page, form.shortIfBinds, tooLong, withLines, unusedAtMost)).page
    }
    tooLong = form.shortIfBinds
  }
  const foremost = [...pressing, ...others]
  let page = newPage(presenting)
  for (const { leastTold, ...form } of divided) {
    const withFirst = (count: number) => written(form, foremost.slice(0, count))
    const least = Math.ceil(leastTold * foremost.length)
    page = await withFirst(least)
    if (page.length() > longest) continue
    const found = await largest(page, least, foremost.length + 1, withFirst)
    const told = foremost.slice(0, found.number)
    const withNames = (shortIfBinds: number) => written({ ...form, shortIfBinds }, told)
    return (await largest(found.page, form.shortIfBinds, longestNamed + 1, withNames, unusedAtMost)).page
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
): Promise<{ page: Page; number: number }> {
  if (tooLarge - fits <= precision) return { page, number: fits }
  const middle = Math.floor((fits + tooLarge) / 2)
  const next = await written(middle)
  return next.length() <= longest
    ? largest(next, middle, tooLarge, written, precision)
    : largest(page, fits, middle, written, precision)
}
