import { describe, expect, it } from 'vitest'
import { isEveryAddress, urlOf } from '../../config/address.ts'
import { load } from '../../config/load.ts'
import { environment } from '../../config/schema.ts'

describe('names of settings', () => {
  it('an unknown PRECEDENT_ variable causes a warning, which names the one that was meant and never shows its value', () => {
    const { warnings } = load({ PRECEDENT_DATADIR: '/secret', PRECEDENT_LOGLEVEL: 'debug', PRECEDENT_ZZZZZZZZZZ: '1' })
    expect(warnings).toEqual([
      'PRECEDENT_DATADIR is not a setting and has no effect. Did you mean PRECEDENT_DATA_DIR?',
      'PRECEDENT_LOGLEVEL is not a setting and has no effect. Did you mean PRECEDENT_LOG_LEVEL?',
      'PRECEDENT_ZZZZZZZZZZ is not a setting and has no effect.',
    ])
  })

  it('settings, variables of the command and variables of other programs cause no warning', () => {
    const ofService = Object.keys(environment.shape).map((name) => [name, ''])
    const others = { PRECEDENT_URL: 'x', PRECEDENT_API_KEY: 'x', PRECEDENT_TEST_PROFILE: 'scaled', PATH: '/bin' }
    expect(load({ ...Object.fromEntries(ofService), ...others }).warnings).toEqual([])
  })
})

describe('addresses that are shown', () => {
  it.each(['0.0.0.0', '0', '::', '::0', '0:0:0:0:0:0:0:0'])('can be called if the service listens on %s', (host) => {
    expect(isEveryAddress(host)).toBe(true)
    expect(urlOf(host, 4400)).toMatch(/^http:\/\/(127\.0\.0\.1|\[::1\]):4400$/)
    expect(load({ HOST: host }).publicUrl).toBe(urlOf(host, 4400))
  })

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:80'],
    ['::1', 'http://[::1]:80'],
    ['precedent.example.com', 'http://precedent.example.com:80'],
  ])('are those of %s if the service listens there alone', (host, url) => {
    expect(isEveryAddress(host)).toBe(false)
    expect(urlOf(host, 80)).toBe(url)
  })
})
