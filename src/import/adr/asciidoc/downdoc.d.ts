/** The package has no types. */
declare module 'downdoc' {
  /** Never includes other files. */
  export default function downdoc(asciidoc: string): string
}
