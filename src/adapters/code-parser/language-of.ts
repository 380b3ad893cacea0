/** Tells the language of a file by its name and, for scripts, by its first line. */

/** Extensions in lower case. A name that is longer than its extension, such as `Dockerfile`, is below. */
const byExtension = new Map(
  Object.entries({
    typescript: 'ts mts cts tsx',
    javascript: 'js mjs cjs jsx',
    python: 'py pyi pyw',
    go: 'go',
    rust: 'rs',
    java: 'java',
    c: 'c h',
    cpp: 'cc cpp cxx c++ hh hpp hxx h++ inl ipp tpp cu cuh',
    csharp: 'cs csx',
    ruby: 'rb rake gemspec ru',
    php: 'php php5 phtml',
    bash: 'sh bash zsh ksh',
    kotlin: 'kt kts',
    swift: 'swift',
    scala: 'scala sc sbt',
    hcl: 'tf tfvars hcl',
    yaml: 'yml yaml',
    sql: 'sql ddl psql pgsql',
    markdown: 'md markdown mdx',
    restructuredtext: 'rst',
    asciidoc: 'adoc asciidoc',
    text: 'txt',
    json: 'json jsonc json5 jsonl ndjson geojson webmanifest',
    toml: 'toml',
    xml: 'xml xsd xsl xslt wsdl csproj vbproj fsproj props targets plist svg',
    html: 'html htm xhtml',
    vue: 'vue',
    svelte: 'svelte',
    css: 'css',
    scss: 'scss sass',
    less: 'less',
    lua: 'lua',
    perl: 'pl pm t',
    r: 'r',
    julia: 'jl',
    dart: 'dart',
    elixir: 'ex exs',
    erlang: 'erl hrl',
    haskell: 'hs lhs',
    ocaml: 'ml mli',
    fsharp: 'fs fsi fsx',
    clojure: 'clj cljs cljc edn',
    groovy: 'groovy gradle',
    'objective-c': 'm mm',
    zig: 'zig',
    nim: 'nim',
    assembly: 's asm',
    powershell: 'ps1 psm1 psd1',
    batch: 'bat cmd',
    protobuf: 'proto',
    graphql: 'graphql gql',
    thrift: 'thrift',
    ini: 'ini cfg conf properties editorconfig env',
    csv: 'csv tsv',
    cmake: 'cmake',
    makefile: 'mk mak',
    nix: 'nix',
    solidity: 'sol',
    'vim script': 'vim',
    'emacs lisp': 'el',
    tex: 'tex sty cls',
    diff: 'diff patch',
    jupyter: 'ipynb',
  }).flatMap(([language, endings]) => endings.split(' ').map((ending) => [ending, language] as const)),
)

/** Names in lower case. */
const byName = new Map(
  Object.entries({
    dockerfile: 'dockerfile containerfile',
    makefile: 'makefile gnumakefile',
    cmake: 'cmakelists.txt',
    ruby: 'gemfile rakefile vagrantfile podfile fastfile brewfile',
    groovy: 'jenkinsfile',
    bash: '.bashrc .bash_profile .profile .zshrc pkgbuild',
    python: 'sconstruct sconscript wscript',
    bazel: 'build build.bazel workspace workspace.bazel',
    text: 'license licence notice authors copying readme',
    ini: '.gitconfig .npmrc .editorconfig',
    ignore: '.gitignore .dockerignore .npmignore',
  }).flatMap(([language, names]) => names.split(' ').map((name) => [name, language] as const)),
)

const byInterpreter: readonly (readonly [pattern: RegExp, language: string])[] = [
  [/^(?:ba|z|k|da|a)?sh$/, 'bash'],
  [/^(?:python|pypy)[\d.]*$/, 'python'],
  [/^(?:node|nodejs|bun|deno)$/, 'javascript'],
  [/^(?:ts-node|tsx)$/, 'typescript'],
  [/^ruby[\d.]*$/, 'ruby'],
  [/^php[\d.]*$/, 'php'],
  [/^perl[\d.]*$/, 'perl'],
  [/^lua[\d.]*$/, 'lua'],
  [/^Rscript$/, 'r'],
]

/** `firstLine` is needed only for files whose name has no known ending. Undefined: no language is known. */
export function languageOf(path: string, firstLine?: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const dot = name.lastIndexOf('.')
  const known = byName.get(name) ?? (dot < 0 ? undefined : byExtension.get(name.slice(dot + 1)))
  if (known !== undefined) return known
  if (name.startsWith('dockerfile.')) return 'dockerfile'
  return dot <= 0 && firstLine?.startsWith('#!') ? interpreted(firstLine) : undefined
}

function interpreted(shebang: string): string | undefined {
  const words = shebang.slice(2, 200).trim().split(/\s+/)
  const first = words[0]?.split('/').at(-1)
  // env takes options and variables before the program
  const program = first === 'env' ? words.slice(1).find((word) => !/^-|=/.test(word)) : first
  const interpreter = program?.split('/').at(-1) ?? ''
  return byInterpreter.find(([pattern]) => pattern.test(interpreter))?.[1]
}
