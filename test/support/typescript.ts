/** The TypeScript that has a JavaScript API, for openapi-typescript (vitest.config.ts). */
export { ts as default } from '@ts-morph/common'
