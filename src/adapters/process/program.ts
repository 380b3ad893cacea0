/** Finds the program of a command, as `precedent doctor` does. */
import { access, constants, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** The first file of this name in the search path that may be run. A name with `/`, or that is not found, stays as it is. */
export async function locatedProgram(name: string, path: string | undefined): Promise<string> {
  if (name.includes('/') || path === undefined) return name
  for (const folder of path.split(delimiter).filter((one) => one !== '')) {
    const place = join(folder, name)
    if (await isProgram(place)) return place
  }
  return name
}

async function isProgram(place: string): Promise<boolean> {
  try {
    await access(place, constants.X_OK)
    return (await stat(place)).isFile()
  } catch {
    // it is missing, or not for this user
    return false
  }
}
