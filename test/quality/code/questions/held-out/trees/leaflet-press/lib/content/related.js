/** A tag that few pages carry says more than one that all carry. */
export function related(page, pages, most = 3) {
  const carried = (tag) => pages.filter(({ tags = [] }) => tags.includes(tag)).length
  const score = (other) =>
    (other.tags ?? []).filter((tag) => page.tags?.includes(tag)).reduce((sum, tag) => sum + 1 / carried(tag), 0)
  return pages
    .filter((other) => other !== page && score(other) > 0)
    .sort((one, other) => score(other) - score(one))
    .slice(0, most)
}
