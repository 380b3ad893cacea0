/** Finds sentences that say what was decided. */

const opening =
  '(?:(?:so|thus|hence|therefore|finally|ultimately|eventually|in the end|as a result|consequently|for (?:this|these|that) reasons?|after [^.,\\n]{3,80}|based on [^.,\\n]{3,80})\\s*,?\\s+)?'
const verbs =
  "(?:have |'ve |’ve )?(?:also |therefore |thus |hence |finally )*(?:decided|chose|chosen|opted|agreed)\\s+(?:to|on|for|that|in favou?r of|against|not to)\\s"
const sentence = new RegExp(`(?:^|[.!?]\\s+|\\n)[\\s>*_-]*${opening}we ${verbs}`, 'i')

/** A sentence that begins with “We decided to …”, not one that tells of it in passing: “When we moved, we decided …”. */
export function saysWhatWasDecided(text: string): boolean {
  return sentence.test(text)
}
