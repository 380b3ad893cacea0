/** What all engines are opened with, and how they are closed. */
import type { Config } from '../../config/load.ts'

export type Opened = Pick<Config, 'engines' | 'dataDir'> &
  Partial<Pick<Config, 'notify' | 'operator' | 'passed' | 'publicUrl'>>
export type Close = () => Promise<void> | void

/** close() closes what `open` has added to `closing`, the newest first. If `open` throws, it is closed at once. */
export async function closable<Result>(
  open: (closing: Close[]) => Promise<Result>,
): Promise<Result & { close(): Promise<void> }> {
  const closing: Close[] = []
  const close = async () => {
    for (const one of closing.splice(0).reverse()) await one()
  }
  try {
    return { ...(await open(closing)), close }
  } catch (error) {
    await close()
    throw error
  }
}
