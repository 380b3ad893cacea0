import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { localPlaces } from '../../config/local.ts'
import { temporaryFolder } from '../support/clean-up.ts'

it('the socket and the key are in a folder of the data directory', () => {
  const directory = temporaryFolder()
  expect(localPlaces(directory, 'linux')).toEqual({
    socket: join(directory, 'local', 'socket'),
    folder: join(directory, 'local'),
    key: join(directory, 'local', 'key'),
  })
})

it('a data directory with a long path has a short socket of its own, and keeps its key', () => {
  const places = ['a', 'b'].map((name) => localPlaces(join('/data', name.repeat(120)), 'linux'))
  expect(new Set(places.map(({ socket }) => socket)).size).toBe(2)
  for (const { socket, folder, key } of places) {
    expect(socket.length).toBeLessThan(100)
    expect(socket.startsWith(`${folder}/`)).toBe(true)
    expect(key.startsWith('/data/')).toBe(true)
  }
})

it('a path through a link leads to the same places', () => {
  const parent = temporaryFolder()
  mkdirSync(join(parent, 'real'))
  symlinkSync(join(parent, 'real'), join(parent, 'link'))
  expect(localPlaces(join(parent, 'link'))).toEqual(localPlaces(join(parent, 'real')))
})

it('Windows has named pipes instead of sockets', () => {
  const { socket, folder } = localPlaces('/data', 'win32')
  expect(socket).toMatch(/^\\\\\.\\pipe\\precedent-[0-9a-f]{32}$/)
  expect(folder).toBeUndefined()
})
