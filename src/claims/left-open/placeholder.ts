/** Recognizes a judgment that nobody has written yet. */

/** UTF-16 units that are read. */
const longestPlaceholder = 500

/** Whether a judgment says nothing that could be accepted or rejected: “TBD.”, “<decision>”, lorem ipsum. */
export function isPlaceholder(judgment: string): boolean {
  const text = judgment.slice(0, longestPlaceholder).trim()
  if (/^(?:<[^>]*>|\[[^\]]*\]|\{\{[^}]*\}\})$/u.test(text)) return true
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return words === '' || placeholder.test(words)
}

/** What people write into a template that they have not filled in. */
const placeholder =
  /^(?:tb[adc]|(?:tbd|to be (?:decided|determined|discussed))(?: (?:by|at|in|on|with) .{1,40})?|to be defined by .{1,40}|to be (?:decided|determined|discussed|defined|done|added|written|completed|filled in)(?: later| soon)?|to ?do(?: (?:write|add|describe|decide|define|fill in|complete) (?:this|it|that|me|the (?:decision|judgment|text))(?: down| up| here| later)?)?|wip|work in progress|n ?a|none|nothing|unknown|undecided|pending|open|placeholder|coming soon|fill (?:me|this) in|xxx+|not (?:yet )?(?:decided|known)(?: yet)?|no decision(?: yet)?|offen|noch offen|à décider|por decidir|lorem ipsum.*)$/su
