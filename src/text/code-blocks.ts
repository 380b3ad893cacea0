/** For each line of Markdown: whether it belongs to a fenced code block, with its fences. An unclosed one extends to the end. */
export function areCode(lines: readonly string[]): boolean[] {
  let fence: string | undefined
  return lines.map((line) => {
    const sign = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    const isCode = fence !== undefined || sign !== undefined
    if (fence === undefined) fence = sign
    else if (sign?.startsWith(fence)) fence = undefined
    return isCode
  })
}
