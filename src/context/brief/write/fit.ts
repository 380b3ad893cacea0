/** Chooses how much a page tells of each record, so that a page without a query is short enough. */
import type { Presenting } from '../../../records/present/present.ts'
import type { Material } from '../choose/material.ts'
import type { Item } from '../find/found.ts'
import { inShort } from './items.ts'
import { newPage, type Page } from './page.ts'
import { isPressing } from './pressing.ts'
import { type Asked, aboutSomething, type Form, type Further, writeBrief } from './write.ts'

/** Characters of a page without a query. The last line, which explains the numbers, is added later. */
const longest = 5_900
const whole = Number.POSITIVE_INFINITY

const rich = { ifPressing: 3, mostListed: 3, mostInforming: whole }
const poor = { ifPressing: 3, mostListed: 1, mostInforming: 1 }
/**
 * What informs becomes shorter from form to form, before what binds does: `shortIfBinds` is the least that each form
 * leaves to what binds.
 */
const forms: readonly Form[] = [
  { ...rich, short: 360, shortIfBinds: 360, longestTitle: whole },
  { ...rich, short: inShort, shortIfBinds: 260, longestTitle: 130 },
  { ...rich, short: 100, shortIfBinds: 200, shortIfFull: 320, longestTitle: 130 },
  { ...poor, short: 90, shortIfBinds: 130, shortIfFull: 240, longestTitle: 80, mostListed: 2, mostInforming: 2 },
  { ...poor, short: 80, shortIfBinds: 75, shortIfFull: 200, longestTitle: 60 },
  { ...poor, short: 50, shortIfBinds: 50, shortIfFull: 160, longestTitle: 50 },
  { ...poor, short: 25, shortIfBinds: 25, shortIfFull: 100, longestTitle: 25 },
  { ...poor, short: 15, shortIfBinds: 15, shortIfFull: 45, longestTitle: 20, ifPressing: 1 },
]
/** Characters by which a line that binds may be shorter than there is room for. */
const precision = 8

export async function writtenToFit(
  asked: Omit<Asked, 'pressing'>,
  material: Material,
  further: readonly Further[],
  presenting: Presenting,
): Promise<Page> {
  const { used, texts } = material
  const written = async (form: Form, pressing?: ReadonlySet<Item>) => {
    const page = newPage(presenting)
    await writeBrief(pressing ? { ...asked, pressing } : asked, form, material, further, page)
    return page
  }
  if (asked.about !== undefined) return written(aboutSomething)
  // found once, and not for each form
  const pressing = new Set(used.filter((item) => isPressing(item, texts.get(item.record.id) ?? '', asked.now)))
  const short = (form: Form) => written(form, pressing)
  let page = newPage(presenting)
  let most: number | undefined
  for (const form of forms) {
    page = await short(form)
    if (page.length() <= longest) return most === undefined ? page : fuller(form, page, most, short)
    most = form.shortIfBinds
  }
  return page
}

/** `form` fits as `page`. What binds gets as much of the room that is left as fits, below `most` characters. */
async function fuller(form: Form, page: Page, most: number, written: (form: Form) => Promise<Page>): Promise<Page> {
  let best = page
  for (let [fits, tooLong] = [form.shortIfBinds, most]; tooLong - fits > precision; ) {
    const shortIfBinds = Math.floor((fits + tooLong) / 2)
    const next = await written({ ...form, shortIfBinds })
    if (next.length() <= longest) [best, fits] = [next, shortIfBinds]
    else tooLong = shortIfBinds
  }
  return best
}
