/** Tells random values from names and words. */

/**
 * The share of neighbouring characters of different kinds. Random values have 0.3 to 0.5; names in programs and paths
 * stay below 0.15.
 */
const leastMixing = 0.21
/** Without digits, compound names come closer to random values. */
const leastMixingOfLetters = 0.25
/** Short names such as `RSA2048` have as high a share, but fewer changes, or only two kinds of characters. */
const leastChanges = 3
const leastChangesOfThreeKinds = 2
const leastDistinct = 7

export function looksRandom(value: string): boolean {
  if (new Set(value).size < leastDistinct || !/[A-Za-z]/.test(value)) return false
  const changes = changesIn(value)
  const hasDigit = /\d/.test(value)
  const hasThreeKinds = hasDigit && /[a-z]/.test(value) && /[A-Z]/.test(value)
  return (
    changes >= (hasThreeKinds ? leastChangesOfThreeKinds : leastChanges) &&
    changes / (value.length - 1) >= (hasDigit ? leastMixing : leastMixingOfLetters)
  )
}

export const isHex = (value: string): boolean => /^(?:[\da-f]+|[\dA-F]+)$/.test(value)

export const isUuid = (value: string): boolean => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(value)

/** A capital before a small letter starts a word, and a separator ends one. Neither counts as a change. */
function changesIn(value: string): number {
  let changes = 0
  for (let at = 1; at < value.length; at++) {
    const [before, here] = [kindAt(value, at - 1), kindAt(value, at)]
    if (
      before !== here &&
      before !== 'separator' &&
      here !== 'separator' &&
      !(before === 'upper' && here === 'lower')
    ) {
      changes++
    }
  }
  return changes
}

function kindAt(value: string, at: number): 'digit' | 'lower' | 'upper' | 'separator' | 'sign' {
  const unit = value.charCodeAt(at)
  if (unit >= 0x30 && unit <= 0x39) return 'digit'
  if (unit >= 0x61 && unit <= 0x7a) return 'lower'
  if (unit >= 0x41 && unit <= 0x5a) return 'upper'
  return '-_./:'.includes(value[at] as string) ? 'separator' : 'sign'
}
