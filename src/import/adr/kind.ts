/** Decides whether a file is a decision record, by its name, its folders and its content. */
import type { ParsedAdr } from './parse.ts'

export const markdownFile = /\.(?:md|mdx|markdown)$/i
const otherTextFile = /\.(?:adoc|asciidoc|rst|txt|org|textile|html?|docx?|pdf|odt)$/i
const tellingFolder =
  /^(?:[ml]?adrs?|decisions?|decision-?(?:records?|logs?)|(?:architectur(?:e|al)|technical|design|engineering)-?decisions?(?:-?(?:records?|logs?))?|entscheidungen|decisiones|decisoes)$/i
const numbered = /^(?:[ml]?adr|rfc|edr|tdr|decision)?[-_ ]?\d{1,8}(?:[-_. ]|$)/i
/** `DDR-023-…`: a team's own letter code. */
const coded = /^[A-Z]{2,5}-\d{1,8}(?:[-_. ]|$)/
const names = {
  readme:
    /^(?:readme|contributing|contribution|changelog|license|licence|code[-_]of[-_]conduct|security|about|guide|howto|glossary)(?:[._-].*)?$/i,
  index:
    /^(?:_?index|summary|toc|contents|sidebar|_sidebar|overview|(?:adr|decision)s?[-_]?(?:log|list|index|overview)|log)$/i,
  template:
    /^_?(?:(?:adr|madr|decision|nygard|rfc|short|long|full|bare|minimal|simple)[-_ ]?)*_?(?:template|vorlage|plantilla|modelo|gabarit|szablon|テンプレート|模板)s?(?:[-_ .](?:bare|minimal|short|long|full|simple|madr|nygard|adr|bare-minimal|v?\d+))*$/i,
}

export type WhyNot = 'template' | 'readme' | 'index' | 'no signs of a decision'

/** `folders`: the names of all folders above the file, including the folder that is imported. */
export function whyNoDecision(folders: readonly string[], name: string, adr: ParsedAdr): WhyNot | undefined {
  const base = name.replace(markdownFile, '')
  const { signs } = adr
  const recorded = signs.hasStatus || signs.hasDecision
  if (
    names.template.test(base.replace(/^(?:m?adr)?[-_ ]?0+[-_ .]/i, '')) ||
    /^_?templates?$/i.test(folders.at(-1) ?? '')
  )
    return 'template'
  // placeholders alone don't make a numbered file with status and date a template: someone forgot to fill in the title
  if (signs.placeholders >= 2 && !(signs.hasStatus && signs.hasDate && numbered.test(base))) return 'template'
  // a folder for each decision: 0001-use-one-file/index.md
  const alone = numbered.test(folders.at(-1) ?? '') && recorded && signs.sections > 1
  if (names.readme.test(base) && !alone) return 'readme'
  if (names.index.test(base) && !alone) return 'index'
  const isNumbered = numbered.test(base) || coded.test(base) || alone
  const telling = folders.some((folder) => tellingFolder.test(folder))
  const enough = telling
    ? isNumbered || recorded || signs.sections > 1 || (signs.hasDate && adr.title !== undefined)
    : (signs.hasStatus && signs.sections > 1) ||
      (signs.hasDecision && signs.sections > 1 && (isNumbered || signs.sections > 2))
  return enough ? undefined : 'no signs of a decision'
}

/** The file is probably a record, but not in Markdown. */
export function looksLikeRecord(folders: readonly string[], name: string): boolean {
  return otherTextFile.test(name) && numbered.test(name) && folders.some((folder) => tellingFolder.test(folder))
}
