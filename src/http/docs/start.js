/** Runs in the browser: starts Swagger UI on the page that viewer.ts made. */
const { SwaggerUIBundle, SwaggerUIStandalonePreset } = window
const { publicUrl, documents } = document.querySelector('#viewer').dataset
/** The address of the service as this browser knows it. It may differ from the public one, such as localhost. */
const here = location.origin + location.pathname.replace(/\/docs\/?$/, '')

SwaggerUIBundle({
  dom_id: '#viewer',
  urls: JSON.parse(documents).map(({ name, path }) => ({ name, url: here + path })),
  layout: 'StandaloneLayout',
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  // the logo has an inline style, which the Content-Security-Policy refuses
  plugins: [() => ({ components: { Logo: () => 'Precedent' } })],
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  // no badge of validator.swagger.io
  validatorUrl: null,
  // requests go to the address of the page, because the Content-Security-Policy allows no other; the curl commands show
  // the public one
  requestInterceptor(request) {
    if (request.url.startsWith(`${publicUrl}/`)) request.url = here + request.url.slice(publicUrl.length)
    return request
  },
  showMutatedRequest: false,
})
