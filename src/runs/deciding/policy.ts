/** Decides by the operator's policy whether a run may go on. Pure: apply and run workers get the same answer. */
import {
  type Policy,
  type PolicyConditions,
  type PolicyRule,
  type PolicySubject,
  type PolicyVerdict,
  type Verdict,
  verdicts,
} from '../../access/run-policy.ts'

/** undefined: the operator has configured none. */
export function verdictOf(policy: Policy | undefined, subject: PolicySubject): PolicyVerdict {
  if (policy === undefined) return unruled('require_approval', 'no policy is configured')
  for (const rule of policy.rules) {
    const held = heldConditions(rule.when, subject)
    if (held !== undefined) return ruled(rule, held)
  }
  return unruled(policy.default, 'no rule fits, so the default of the policy decides')
}

/** Of two verdicts, the one that allows less. */
export function stricter(a: Verdict, b: Verdict): Verdict {
  return verdicts.indexOf(a) >= verdicts.indexOf(b) ? a : b
}

function ruled({ name, verdict, self_approval }: PolicyRule, held: readonly string[]): PolicyVerdict {
  return { verdict, rule: name, because: [`the rule "${name}" fits: ${held.join(', ')}`], self_approval }
}

function unruled(verdict: Verdict, why: string): PolicyVerdict {
  return { verdict, rule: null, because: [why], self_approval: false }
}

/** All conditions as texts, each with the value of the run that meets it. undefined: the run does not meet one of them. */
function heldConditions(when: PolicyConditions, subject: PolicySubject): string[] | undefined {
  const held: string[] = []
  for (const [condition, values] of Object.entries(when) as [keyof PolicyConditions, readonly string[]][]) {
    const met = valuesOf(subject, condition).find((value) => values.includes(value))
    if (met === undefined) return undefined
    held.push(`${condition} ${met}`)
  }
  return held
}

function valuesOf(subject: PolicySubject, condition: keyof PolicyConditions): readonly string[] {
  const value = subject[condition]
  if (value === null) return []
  return typeof value === 'string' ? [value] : value
}
