/** The first part stands at the address of the list itself, the others below page/2, page/3. */
export function paginate(items, size, base) {
  const count = Math.max(1, Math.ceil(items.length / size))
  const address = (number) => (number === 1 ? base : `${base}page/${number}/`)
  return Array.from({ length: count }, (_, index) => ({
    url: address(index + 1),
    items: items.slice(index * size, (index + 1) * size),
    newer: index > 0 ? address(index) : undefined,
    older: index + 1 < count ? address(index + 2) : undefined,
  }))
}
