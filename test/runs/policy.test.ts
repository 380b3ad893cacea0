import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Policy, PolicyConditions, PolicySubject } from '../../src/access/run-policy.ts'
import { verdicts } from '../../src/access/run-policy.ts'
import { stricter, verdictOf } from '../../src/runs/deciding/policy.ts'

const subject: PolicySubject = {
  labels: ['docs', 'small'],
  project: 'website',
  priority: 'high',
  repo: 'acme/site',
  executor: 'coder',
}
const rule = (name: string, when: PolicyConditions, verdict: Policy['default'], self_approval = false) => ({
  name,
  when,
  verdict,
  self_approval,
})

describe('verdictOf', () => {
  it('requires an approval without a policy, and says that there is none', () => {
    expect(verdictOf(undefined, subject)).toEqual({
      verdict: 'require_approval',
      rule: null,
      because: ['no policy is configured'],
      self_approval: false,
    })
  })

  it('names the rule that decides, the values that met its conditions, and whether one may approve one’s own run', () => {
    const policy: Policy = {
      default: 'deny',
      rules: [
        rule('payments', { project: ['payments'] }, 'deny'),
        rule('docs', { labels: ['text', 'docs'], repo: ['acme/site'] }, 'require_approval', true),
        rule('all of coder', { executor: ['coder'] }, 'allow'),
      ],
    }
    expect(verdictOf(policy, subject)).toEqual({
      verdict: 'require_approval',
      rule: 'docs',
      because: ['the rule "docs" fits: labels docs, repo acme/site'],
      self_approval: true,
    })
  })

  it('decides by the default if no rule fits, and never lets it allow an approval of one’s own run', () => {
    const policy: Policy = { default: 'allow', rules: [rule('never', { priority: ['low'] }, 'deny', true)] }
    expect(verdictOf(policy, subject)).toMatchObject({ verdict: 'allow', rule: null, self_approval: false })
  })

  it('finds no condition held by a project or repository that the task does not have', () => {
    const bare = { ...subject, project: null, repo: null, labels: [] }
    for (const when of [{ project: ['null'] }, { repo: ['null'] }, { labels: [''] }]) {
      expect(verdictOf({ default: 'deny', rules: [rule('one', when, 'allow')] }, bare).rule).toBeNull()
    }
  })
})

describe('for all policies', () => {
  const word = fc.constantFrom('a', 'b', 'c')
  const words = fc.uniqueArray(word, { minLength: 1 })
  const conditions: fc.Arbitrary<PolicyConditions> = fc.record(
    { labels: words, project: words, priority: words, repo: words, executor: words },
    { requiredKeys: [] },
  )
  const subjects: fc.Arbitrary<PolicySubject> = fc.record({
    labels: fc.uniqueArray(word),
    project: fc.option(word),
    priority: word,
    repo: fc.option(word),
    executor: word,
  })
  const rules = fc
    .array(fc.record({ when: conditions, verdict: fc.constantFrom(...verdicts), self_approval: fc.boolean() }))
    .map((all) => all.map((one, at) => ({ ...one, name: `rule ${at}` })))
  const policies: fc.Arbitrary<Policy> = fc.record({ default: fc.constantFrom(...verdicts), rules })

  /** The rule as the documentation says it, in other words than the code. */
  function fits(when: PolicyConditions, of: PolicySubject): boolean {
    const has = {
      labels: of.labels,
      project: [of.project],
      priority: [of.priority],
      repo: [of.repo],
      executor: [of.executor],
    }
    return Object.entries(when).every(([name, values]) =>
      values.some((value: string) => (has[name as keyof typeof has] as unknown[]).includes(value)),
    )
  }

  it('the first rule that fits decides, and otherwise the default', () => {
    fc.assert(
      fc.property(policies, subjects, (policy, one) => {
        const first = policy.rules.find(({ when }) => fits(when, one))
        const { verdict, rule: name, self_approval, because } = verdictOf(policy, one)
        expect(verdict).toBe(first?.verdict ?? policy.default)
        expect(name).toBe(first?.name ?? null)
        expect(self_approval).toBe(first?.self_approval ?? false)
        expect(because).toHaveLength(1)
      }),
    )
  })

  it('rules after the one that decides change nothing', () => {
    fc.assert(
      fc.property(policies, rules, subjects, (policy, more, one) => {
        const before = verdictOf(policy, one)
        fc.pre(before.rule !== null)
        expect(verdictOf({ ...policy, rules: [...policy.rules, ...more] }, one)).toEqual(before)
      }),
    )
  })

  it('stricter is a total order in which deny is above require_approval, and that above allow', () => {
    const verdict = fc.constantFrom(...verdicts)
    fc.assert(
      fc.property(verdict, verdict, verdict, (a, b, c) => {
        expect([a, b]).toContain(stricter(a, b))
        expect(stricter(a, b)).toBe(stricter(b, a))
        expect(stricter(a, stricter(b, c))).toBe(stricter(stricter(a, b), c))
        expect(stricter(a, a)).toBe(a)
      }),
    )
    expect(stricter('allow', 'require_approval')).toBe('require_approval')
    expect(stricter('require_approval', 'deny')).toBe('deny')
    expect(stricter('deny', 'allow')).toBe('deny')
  })
})
