/** Limits of what is read of a folder. The page of imports uses them too, before it gives files to its thread. */
export const mostFileBytes = 2 * 1024 * 1024
export const mostEntries = 200_000
export const mostFiles = 20_000
export const mostDepth = 32
/** Bytes of all files together. */
export const mostTotalBytes = 256 * 1024 * 1024
/** It names the remote repository. */
export const gitConfig = '.git/config'
export const mostConfigBytes = 1024 * 1024
const skippedFolders: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  'bower_components',
  '.venv',
  '__pycache__',
])

/** Whether nothing below a folder of this name is read. */
export function isSkipped(folder: string): boolean {
  return skippedFolders.has(folder)
}
