/**
 * Light stemming of Arabic (Larkey's light10): conjunction, article and the commonest endings are cut, nothing inside the
 * word changes. Takes folded words.
 */
export function stemArabic(word: string): string {
  let stem = word
  if (stem.startsWith('و') && stem.length > 3) stem = stem.slice(1)
  const prefix = prefixes.find((one) => stem.startsWith(one) && stem.length - one.length >= least)
  if (prefix !== undefined) stem = stem.slice(prefix.length)
  for (const ending of endings) {
    if (stem.endsWith(ending) && stem.length - ending.length > least) stem = stem.slice(0, -ending.length)
  }
  return stem
}

/** Letters that stay. */
const least = 2

const prefixes = ['بال', 'كال', 'فال', 'لل', 'ال']
const endings = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ه', 'ي']
