/** What the printer does with the directives of docutils and Sphinx. */

/** Their content is code, or data. */
export const codeDirectives: ReadonlySet<string> = new Set([
  'code',
  'code-block',
  'sourcecode',
  'parsed-literal',
  'prompt',
  'math',
  'mermaid',
  'graphviz',
  'digraph',
  'graph',
  'uml',
  'plantuml',
])
/** Pictures, lists of pages and settings: they hold nothing that was decided. */
export const droppedDirectives: ReadonlySet<string> = new Set([
  'contents',
  'toctree',
  'raw',
  'include',
  'literalinclude',
  'index',
  'meta',
  'highlight',
  'role',
  'default-role',
  'default-domain',
  'sectnum',
  'header',
  'footer',
  'image',
  'figure',
  'currentmodule',
  'module',
  'class',
  'rst-class',
  'cssclass',
  'title',
  'tags',
  'target-notes',
  'video',
  'youtube',
])
/** The text beside their name is a title, or the name of a language, and not the beginning of their content. */
export const titledDirectives: readonly string[] = [
  'admonition',
  'topic',
  'sidebar',
  'rubric',
  'container',
  'only',
  'ifconfig',
  'table',
  'list-table',
  'dropdown',
  'collapse',
  'tab',
  'tab-item',
  'image',
  'figure',
]
/** Of `titledDirectives`: the text is a condition or a class, and is not printed. */
export const untitledDirectives: ReadonlySet<string> = new Set(['container', 'only', 'ifconfig'])
/** Their content is not parsed as reStructuredText. */
export const rawDirectives: readonly string[] = [
  ...codeDirectives,
  'csv-table',
  'toctree',
  'raw',
  'literalinclude',
  'meta',
  'index',
]
