/**
 * Checks texts that are stored without a receipt. If one holds a credential, the request is refused, and the error
 * names the field.
 */
import { invalid } from '../../problem.ts'
import { findSecret } from './find.ts'

/** Throws invalid_request if the text holds a credential. The error never shows it. */
export async function refuseSecret(place: string, text: string): Promise<void> {
  const found = await findSecret([{ place, text }])
  if (found) {
    throw invalid(place, `holds a credential (${found.kind}), and it would be stored: send a text without one`)
  }
}
