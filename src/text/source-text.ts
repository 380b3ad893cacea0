/**
 * The text of a source file. The parser and everything that shows lines of a file must decode it in the same way, so
 * that line numbers fit.
 */

/** Share of bytes outside of ASCII above which a text in an unknown encoding can't be one of a Latin alphabet. */
const mostForeign = 0.1

/**
 * UTF-8 with or without a byte order mark; UTF-16 with one. Other files of mostly ASCII are read as Windows-1252, which
 * contains Latin-1: in older sources the code is ASCII, and only comments hold other letters. Undefined: another encoding.
 */
export function sourceText(bytes: Uint8Array): string | undefined {
  const wide = utf16Of(bytes)
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    // fatal decoders throw this for bytes that are not of the encoding
    if (!(error instanceof TypeError)) throw error
    return foreignShare(bytes) <= mostForeign ? new TextDecoder('windows-1252').decode(bytes) : undefined
  }
}

/** The encoding that a byte order mark of UTF-16 tells. Such a file holds NUL bytes, and is a text. */
export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

function foreignShare(bytes: Uint8Array): number {
  let foreign = 0
  for (const byte of bytes) if (byte >= 0x80) foreign += 1
  return foreign / bytes.length
}
