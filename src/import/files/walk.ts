/**
 * Reads a folder that may be hostile. It reads regular files inside the folder only, follows no links, opens no pipes,
 * and bounds the size and number of files.
 */
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, opendir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { isSkipped, mostDepth, mostEntries, mostFileBytes, mostFiles } from './bounds.ts'
import {
  decode,
  type FileText,
  type Folder,
  notRegular,
  symbolicLink,
  tooDeep,
  tooLarge,
  tooMany,
  type Walk,
} from './folder.ts'

/** `path`: of the folder, on this machine. */
export function folderAt(path: string): Folder {
  return { walk: (wanted) => walk(path, wanted), read: (file) => readInside(path, file) }
}

/** `wanted` chooses files by their path. Wanted paths that are links or not regular files are noted, not read. */
export async function walk(folder: string, wanted: (path: string) => boolean): Promise<Walk> {
  const root = await realpath(folder)
  const found: Walk = { files: [], notes: [] }
  const open: { path: string; depth: number }[] = [{ path: '', depth: 0 }]
  let entries = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, depth } = next
    const directory = await openFolder(root, path, found)
    if (!directory) continue
    for await (const entry of directory) {
      if (++entries > mostEntries || found.files.length >= mostFiles) {
        found.notes.push({ file: path || '.', message: tooMany })
        open.length = 0
        break
      }
      const at = path === '' ? entry.name : `${path}/${entry.name}`
      if (entry.isDirectory()) {
        if (isSkipped(entry.name)) continue
        if (depth < mostDepth) open.push({ path: at, depth: depth + 1 })
        else found.notes.push({ file: at, message: tooDeep })
      } else if (wanted(at)) {
        if (entry.isFile()) found.files.push(at)
        else
          found.notes.push({
            file: at,
            message: entry.isSymbolicLink() ? symbolicLink : notRegular,
          })
      }
    }
  }
  found.files.sort((a, b) => (a < b ? -1 : 1))
  return found
}

/** The text of one file of the folder, or the reason why it is not read. */
export async function readInside(folder: string, path: string): Promise<FileText> {
  const whole = join(folder, path)
  let file: FileHandle | undefined
  try {
    // without O_NONBLOCK, `open` would hang if the file has been replaced by a pipe
    file = await open(whole, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stat = await file.stat()
    if (!stat.isFile()) return { refused: notRegular }
    // a parent folder may have been replaced by a link since it was listed
    const named = await lstat(whole)
    if (named.ino !== stat.ino || named.dev !== stat.dev || !isInside(folder, await realpath(whole))) {
      return { refused: 'changed while it was read' }
    }
    if (stat.size > mostFileBytes) return { refused: tooLarge }
    const bytes = await readAtMost(file, mostFileBytes)
    return decode(bytes)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    return { refused: code === 'ELOOP' ? symbolicLink : `could not be read (${code ?? 'unknown'})` }
  } finally {
    await file?.close()
  }
}

export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

async function openFolder(root: string, path: string, found: Walk) {
  try {
    const whole = join(root, path)
    const real = await realpath(whole)
    if (real !== whole && !isInside(root, real)) throw new Error('outside')
    return await opendir(whole)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'outside of the folder'
    found.notes.push({ file: path || '.', message: `folder could not be read (${code})` })
    return undefined
  }
}

async function readAtMost(file: FileHandle, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for (let total = 0; total < most; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(65_536, most - total)))
    if (bytesRead === 0) break
    chunks.push(buffer.subarray(0, bytesRead))
    total += bytesRead
  }
  return Buffer.concat(chunks)
}
