/** Files that a reader chose in the browser as the source of an import. Nothing else of their machine can be read. */
import {
  gitConfig,
  isSkipped,
  mostConfigBytes,
  mostDepth,
  mostEntries,
  mostFileBytes,
  mostFiles,
} from '../../import/files/bounds.ts'
import { decode, type Folder, tooDeep, tooLarge, tooMany, type Walk } from '../../import/files/folder.ts'
import { originIn, remoteName, type Source, webUrl } from '../../import/files/source.ts'
import type { ChosenFile } from './messages.ts'

interface Chosen {
  /** The name of the folder that was chosen. Empty: single files were. */
  root: string
  files: readonly ChosenFile[]
  /** Empty: it is made from the folder. */
  source: string
}

/** The name of files without a folder: a browser does not tell where they are. */
const nameOfFiles = 'files'

/** `onRead` is called after each file. */
export async function browserSource({ root, files, source }: Chosen, onRead: () => void): Promise<Source> {
  const byPath = new Map(files.map(({ path, file }) => [path, file]))
  const remote = await remoteOf(byPath)
  return {
    name: source || remote?.name || root || nameOfFiles,
    root,
    urlOf: (file) => webUrl(remote, file),
    folder: (path) => folderIn(byPath, path, onRead),
    placesOfDates: 'the text or the file name, and a browser does not know the git history',
  }
}

async function remoteOf(files: ReadonlyMap<string, File>) {
  const config = files.get(gitConfig)
  if (config === undefined || config.size > mostConfigBytes) return undefined
  const url = originIn(await config.text())
  return url === undefined ? undefined : remoteName(url)
}

function folderIn(files: ReadonlyMap<string, File>, folder: string, onRead: () => void): Folder {
  const inside = folder === '' ? '' : `${folder}/`
  return {
    async walk(wanted) {
      const paths = [...files.keys()].filter((path) => path.startsWith(inside))
      return walk(paths.map((path) => path.slice(inside.length)).sort(byName), wanted)
    },
    async read(path) {
      const file = files.get(inside + path)
      try {
        if (file === undefined) return { refused: 'could not be read (it is gone)' }
        if (file.size > mostFileBytes) return { refused: tooLarge }
        return decode(new Uint8Array(await file.arrayBuffer()))
      } catch (error) {
        // the file was changed or removed since it was chosen
        return { refused: `could not be read (${(error as Error).name})` }
      } finally {
        onRead()
      }
    },
  }
}

/** The rules of a folder on the machine of the command (src/import/files/walk.ts). */
function walk(paths: readonly string[], wanted: (path: string) => boolean): Walk {
  const found: Walk = { files: [], notes: [] }
  const deep = new Set<string>()
  for (const [at, path] of paths.entries()) {
    if (at >= mostEntries || found.files.length >= mostFiles) {
      found.notes.push({ file: '.', message: tooMany })
      break
    }
    const folders = path.split('/').slice(0, -1)
    if (folders.some(isSkipped)) continue
    if (folders.length > mostDepth) deep.add(folders.slice(0, mostDepth + 1).join('/'))
    else if (wanted(path)) found.files.push(path)
  }
  found.notes.push(...[...deep].map((file) => ({ file, message: tooDeep })))
  return found
}

function byName(a: string, b: string): number {
  return a < b ? -1 : 1
}
