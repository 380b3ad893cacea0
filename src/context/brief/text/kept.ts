/** Whether a text says that what was promised is done, or is not owed any more. */

/** UTF-16 units. A longer text says more than that. */
const longest = 300

/** “The refund test was done on 27 November”, “Sent already.” Not “is done by 12 May”, “half of it was paid; the rest in June”. */
export function isKept(text: string): boolean {
  return text.length <= longest && done.test(text) && !stillOwed.test(text)
}

const doing =
  '(?:answered|built|called off|cancell?ed|completed|delivered|done|dropped|fulfilled|finished|handed (?:over|in)|installed|kept|met|paid|published|repaired|replaced|sent|shipped|signed|submitted|withdrawn)'
const done = new RegExp(
  [
    `\\b(?:was|were|has been|have been|got|we|I|they|he|she)(?: (?:now|already|all|both|since))* ${doing}\\b`,
    `\\b(?:is|are) (?:(?:now|already) ${doing}\\b|(?:done|finished)(?:[.!,;:]|$))`,
    `^\\W*(?:already |all )?${doing}(?: already)?(?:[.!,;:]| (?:on|in|at|to|since|last)\\b|$)`,
  ].join('|'),
  'i',
)
const stillOwed =
  /\b(?:will|shall|going to|next|not|no longer|yet|still|rest|remaining|part(?:ly)?|half|except|but|until|by (?:\d|the end|end|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|next)\w*)\b|n['’]t\b/i
