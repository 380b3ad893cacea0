/** The files that a reader chooses or drops. */
import { gitConfig, isSkipped, mostEntries } from '../../import/files/bounds.ts'
import type { ChosenFile } from '../import-thread/messages.ts'

export interface Chosen {
  /** The name of the folder. Empty: single files were chosen. */
  root: string
  files: readonly ChosenFile[]
}

/** The files that the reader chose cannot be imported together. */
export class NotChosen extends Error {}

/** How a chosen folder or file is called. */
export function nameOf({ root, files: [first, ...others] }: Chosen): string {
  if (root !== '') return root
  return first === undefined ? '' : others.length === 0 ? first.path : `${others.length + 1} files`
}

/** Of a file input. With `webkitdirectory`, each path begins with the name of the folder. */
export function chosenInInput(list: FileList): Chosen {
  const files = [...list]
  const [first] = files
  const root = first?.webkitRelativePath.split('/', 1)[0] ?? ''
  if (root === '') return { root, files: files.map((file) => ({ path: file.name, file })) }
  const inFolder = files.map((file) => ({ path: file.webkitRelativePath.slice(root.length + 1), file }))
  return { root, files: inFolder.filter(({ path }) => isWanted(path)) }
}

/** Call it while the event is handled: later the browser has forgotten what was dropped. */
export async function chosenByDrop({ items }: DataTransfer): Promise<Chosen> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const folders = entries.filter(isFolder)
  const [folder] = folders
  if (folder !== undefined) {
    if (entries.length > 1) throw new NotChosen('Drop one folder, or files without a folder.')
    return { root: folder.name, files: await filesIn(folder) }
  }
  if (entries.length === 0) throw new NotChosen('Drop a folder or files.')
  return {
    root: '',
    files: await Promise.all(entries.filter(isFile).map(async (entry) => chosenFile(entry, entry.name))),
  }
}

/** In folders that an import does not read, only the config of git is wanted. */
function isWanted(path: string): boolean {
  return path === gitConfig || !path.split('/').slice(0, -1).some(isSkipped)
}

async function filesIn(folder: FileSystemDirectoryEntry): Promise<ChosenFile[]> {
  const found: ChosenFile[] = []
  const open: [folder: FileSystemDirectoryEntry, path: string][] = [[folder, '']]
  let entries = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [parent, inside] = next
    for (const entry of await entriesOf(parent)) {
      if (++entries > mostEntries) return found
      const path = inside + entry.name
      if (isFolder(entry) && (!isSkipped(entry.name) || path === '.git')) open.push([entry, `${path}/`])
      if (isFile(entry) && isWanted(path)) found.push(await chosenFile(entry, path))
    }
  }
  return found
}

/** The browser lists them in portions. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const portion = () =>
    new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject)
    })
  const all: FileSystemEntry[] = []
  for (let some = await portion(); some.length > 0; some = await portion()) all.push(...some)
  return all
}

function chosenFile(entry: FileSystemFileEntry, path: string): Promise<ChosenFile> {
  return new Promise((resolve, reject) => entry.file((file) => resolve({ path, file }), reject))
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}
