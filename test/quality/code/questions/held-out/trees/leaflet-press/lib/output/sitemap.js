export function handle(pages, config) {
  const urls = pages.filter(({ hidden }) => !hidden).map(({ url }) => `<url><loc>${config.base_url}${url}</loc></url>`)
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`
}
