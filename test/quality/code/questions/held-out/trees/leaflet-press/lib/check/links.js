export function brokenLinks(files) {
  const broken = []
  for (const [from, html] of files) {
    for (const [, target] of html.matchAll(/href="(\/[^"#?]*)/g)) {
      const file = target.endsWith('/') ? `${target}index.html` : target
      if (!files.has(file)) broken.push(`${from} → ${target}`)
    }
  }
  return broken
}
