/** Chooses how much a page tells of each record, so that a page without a query is short enough. */
import type { Presenting } from '../../../records/present/present.ts'
import type { Material } from '../choose/material.ts'
import { inShort } from './items.ts'
import { newPage, type Page } from './page.ts'
import { type Asked, aboutSomething, type Form, type Further, writeBrief } from './write.ts'

/** Characters of the Markdown without a query, but for the line about its numbers. */
const longest = 5_900
const whole = Number.POSITIVE_INFINITY

/**
 * What informs becomes shorter from form to form, before what binds does: `shortIfBinds` is the least that each form
 * leaves to what binds.
 */
const forms: readonly Omit<Form, 'shortIfPressing'>[] = [
  { short: 360, shortIfBinds: 360, longestTitle: whole, mostListed: 3, mostInforming: whole },
  { short: inShort, shortIfBinds: 260, longestTitle: 130, mostListed: 3, mostInforming: whole },
  { short: 100, shortIfBinds: 200, shortIfFull: 320, longestTitle: 130, mostListed: 3, mostInforming: whole },
  { short: 90, shortIfBinds: 130, shortIfFull: 240, longestTitle: 80, mostListed: 2, mostInforming: 2 },
  { short: 80, shortIfBinds: 75, shortIfFull: 200, longestTitle: 60, mostListed: 1, mostInforming: 1 },
  { short: 50, shortIfBinds: 50, shortIfFull: 160, longestTitle: 50, mostListed: 1, mostInforming: 1 },
  { short: 25, shortIfBinds: 25, shortIfFull: 100, longestTitle: 25, mostListed: 1, mostInforming: 1 },
  { short: 15, shortIfBinds: 15, shortIfFull: 45, longestTitle: 20, mostListed: 1, mostInforming: 1 },
]
/** How much longer a line is that cannot wait, and its characters at most. In the shortest form it is no longer. */
const ifPressing = 3
const longestIfPressing = 240
/** Characters by which a line that binds may be shorter than there is room for. */
const precision = 8

export async function writtenToFit(
  asked: Asked,
  material: Material,
  further: readonly Further[],
  presenting: Presenting,
): Promise<Page> {
  const written = async (form: Form) => {
    const page = newPage(presenting)
    await writeBrief(asked, form, material, further, page)
    return page
  }
  if (asked.about !== undefined) return written(aboutSomething)
  let page = newPage(presenting)
  let most: number | undefined
  for (const one of forms) {
    const form = leaving(one, one.shortIfBinds)
    page = await written(form)
    if (page.length() <= longest) return most === undefined ? page : fuller(form, page, most, written)
    most = one.shortIfBinds
  }
  return page
}

/** `form` fits as `page`. What binds gets as much of the room that is left as fits, below `most` characters. */
async function fuller(form: Form, page: Page, most: number, written: (form: Form) => Promise<Page>): Promise<Page> {
  let best = page
  for (let [fits, tooLong] = [form.shortIfBinds, most]; tooLong - fits > precision; ) {
    const between = Math.floor((fits + tooLong) / 2)
    const next = await written(leaving(form, between))
    if (next.length() <= longest) [best, fits] = [next, between]
    else tooLong = between
  }
  return best
}

function leaving(form: Omit<Form, 'shortIfPressing'>, shortIfBinds: number): Form {
  const pressing = form === forms.at(-1) ? 0 : Math.min(ifPressing * shortIfBinds, longestIfPressing)
  return { ...form, shortIfBinds, shortIfPressing: Math.max(shortIfBinds, pressing) }
}
