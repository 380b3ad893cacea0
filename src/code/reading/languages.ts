/** Names of languages as callers write them. */

/** Short names that people write, by the name that the parser gives. */
const shortNames: Record<string, string> = {
  'c#': 'csharp',
  'c++': 'cpp',
  cs: 'csharp',
  golang: 'go',
  js: 'javascript',
  kt: 'kotlin',
  md: 'markdown',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  tf: 'hcl',
  ts: 'typescript',
  tsx: 'typescript',
  yml: 'yaml',
}

export function languageNamed(name: string): string {
  const lower = name.toLowerCase()
  return shortNames[lower] ?? lower
}
