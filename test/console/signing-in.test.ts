/** Signing in and out in a browser: what stays in the tab, and what other tabs do. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Body, type Serving, send, serve } from '../http/serving.ts'
import { eventually, person, remembered } from '../questions/resolving.ts'
import { noChromium } from '../support/chromium.ts'
import { skipIf } from '../support/skip.ts'
import { headingIs, openReader, type Reader } from './reader.ts'

describe('signing in to the console', skipIf(noChromium), () => {
  let serving: Serving
  let secret: string
  let reader: Reader
  beforeAll(async () => {
    serving = await serve()
    const admin = { url: serving.url, key: serving.adminKey }
    const id = await remembered(admin, 'The spare key is under the pot.', { visibility: { scope: 'private' } })
    secret = `memories/${id}`
  })
  afterAll(() => serving.stop())
  beforeEach(async () => {
    reader = await openReader()
  })
  afterEach(() => reader.close())

  const signIn = async (key: string) => {
    await reader.type('input[name=key]', key)
    await reader.click('Sign in')
  }

  it('forgets everything that the former user saw after Sign out', async () => {
    await reader.enter(`${serving.url}/`, '', serving.adminKey)
    await reader.visit(secret, 'The spare key is under the pot.')
    await reader.click('Sign out')
    await reader.until("document.activeElement.matches('input[name=key]')")
    expect(await reader.evaluate('document.title')).toBe('Precedent')
    expect(await reader.evaluate('sessionStorage.length + localStorage.length')).toBe(0)

    await signIn(await serving.key(['context:read'], { user: 'bob' }))
    await reader.until(headingIs('There is no such memory'))
    expect(await reader.evaluate('document.documentElement.outerHTML')).not.toContain('spare key')
  })

  it('keeps what was typed if the key was revoked, but no question that the next key may not see', async () => {
    const [rea, bob] = [await person(serving, 'rea'), await person(serving, 'bob')]
    await remembered(rea, 'Open question: who waters the ferns?')
    await remembered(rea, 'Open question: who has the spare safe?', { visibility: { scope: 'private' } })
    await eventually(async () => {
      const { body } = await send(serving.url, 'GET', '/v1/context/questions', { key: rea.key })
      expect(body.items).toHaveLength(2)
    })
    await reader.enter(`${serving.url}/`, 'questions', rea.key)
    await reader.until("document.body.innerText.includes('spare safe') && document.body.innerText.includes('ferns')")
    const card = "[...document.querySelectorAll('article')].find((one) => one.innerText.includes('ferns'))"
    await reader.evaluate(`${card}.querySelector('[data-toggle]').click()`)
    await reader.until("document.querySelector('[data-action=answer]')")
    await reader.evaluate("document.querySelector('[data-action=answer]').click()")
    await reader.type('textarea', 'The gardener.')
    const { body } = await send(serving.url, 'GET', '/admin/keys', { key: serving.adminKey })
    const { id } = body.items.find((one: Body) => one.user === 'rea')
    await send(serving.url, 'DELETE', `/admin/keys/${id}`, { key: serving.adminKey })
    // it is known for some seconds more
    await eventually(async () => {
      const { status } = await send(serving.url, 'GET', '/v1/context/questions', { key: rea.key })
      expect(status).toBe(401)
    })
    await reader.click('Send')
    await reader.until("document.querySelector('.sign-in [role=alert]')")
    expect(await reader.evaluate('document.title')).toBe('Precedent')
    await signIn(bob.key)
    await reader.until("!document.body.innerText.includes('spare safe') && document.body.innerText.includes('ferns')")
    expect(await reader.evaluate("document.querySelector('textarea').value")).toBe('The gardener.')
    expect(await reader.evaluate('document.title')).toBe('Questions – Precedent')
  })

  it('signs out the other tabs too if the key is kept in the browser', async () => {
    await reader.open(`${serving.url}/`)
    await reader.until("document.querySelector('input[type=checkbox]')")
    await reader.evaluate("document.querySelector('input[type=checkbox]').click()")
    await signIn(serving.adminKey)
    await reader.until("document.querySelector('nav')")
    // a browser opens a window only for a person who does something
    await reader.evaluate(
      `addEventListener('keydown', () => { globalThis.other = open('/${secret}') }, { once: true })`,
    )
    await reader.press('z')
    await reader.until("other?.document.querySelector('h1')?.textContent === 'The spare key is under the pot.'")
    await reader.click('Sign out')
    await reader.until("other.document.querySelector('.sign-in')")
    expect(await reader.evaluate('other.document.documentElement.outerHTML')).not.toContain('spare key')
  })

  it('says that a key is broken before it is sent', async () => {
    await reader.open(`${serving.url}/`)
    await signIn('svc_sk_abc…')
    await reader.until("document.querySelector('[role=alert]')")
    expect(await reader.text('[role=alert]')).toContain('This is no API key')
    expect(await reader.evaluate('sessionStorage.length + localStorage.length')).toBe(0)
    expect(reader.requested().filter((url) => url.includes('/v1/'))).toEqual([])
  })
})
