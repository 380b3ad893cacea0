/** Mutants of how calls are accepted and receipts are shown and awaited (PROTOCOL 1, 4 and 6). */
import type { Mutant } from './mutant.ts'

export const accepting: readonly Mutant[] = [
  {
    rule: 'PROTOCOL 1: acceptance wakes the apply worker',
    file: 'src/receipts/accept.ts',
    find: '  if (receipt.open === 1) wake(ports, receipt.workspace, receipt.lane)\n',
    replace: '',
    killedBy: ['test/receipts/accept.test.ts'],
  },
  {
    rule: 'PROTOCOL 1: a known key is answered before any check against the store',
    file: 'src/receipts/accept.ts',
    find: '    if (before) return before\n    throw refusal',
    replace: '    void before\n    throw refusal',
    killedBy: ['test/receipts/accept.test.ts'],
  },
  {
    rule: 'PROTOCOL 6: the same key with other input is refused',
    file: 'src/receipts/earlier.ts',
    find: 'if (before.input_hash === hash) return',
    replace: 'if (before.input_hash !== "") return',
    killedBy: ['test/receipts/accept.test.ts'],
  },
  {
    rule: 'PROTOCOL 6: the same key with the same input is answered with its receipt',
    file: 'src/receipts/earlier.ts',
    find: 'if (before.input_hash === hash) return',
    replace: 'if (before.input_hash === "") return',
    killedBy: ['test/receipts/accept.test.ts'],
  },
  {
    rule: 'PROTOCOL 6: over HTTP, a repeated write is no conflict',
    file: 'src/receipts/earlier.ts',
    find: 'if (before.input_hash === hash) return { ...before, replayed: true }',
    replace: "if (before.state === 'failed' && before.input_hash === hash) return { ...before, replayed: true }",
    killedBy: ['test/http/writes.test.ts'],
  },
  {
    rule: 'PROTOCOL 6: the idempotency key is not part of the hash',
    file: 'src/receipts/input-hash.ts',
    find: "name === 'idempotency_key' || ",
    replace: '',
    killedBy: ['test/receipts/input-hash.test.ts'],
  },
  {
    rule: 'PROTOCOL 6: defaults are not part of the hash',
    file: 'src/receipts/input-hash.ts',
    find: ' || ofSchema.get(name) === json) return false',
    replace: ') return false',
    killedBy: ['test/receipts/input-hash.test.ts'],
  },
  {
    rule: 'PROTOCOL 6: content that holds a credential is not stored',
    file: 'src/receipts/accept.ts',
    find: 'input: secret ? null : input',
    replace: 'input',
    killedBy: ['test/memories/remember.test.ts'],
  },
  {
    rule: 'PROTOCOL 6: a receipt is visible to its actor only',
    file: 'src/receipts/present.ts',
    find: "scopes.includes('admin') ? { workspace } : { workspace, owner: user }",
    replace: "scopes.includes('admin') || user !== '' ? { workspace } : { workspace, owner: user }",
    killedBy: ['test/http/writes.test.ts'],
  },
  {
    rule: 'PROTOCOL 6: an admin sees no entity.label of a record that it cannot see',
    file: 'src/receipts/present.ts',
    find: 'const seen = audiencesOf(actor).includes(entity.audience)',
    replace: 'const seen = audiencesOf(actor).length > 0',
    killedBy: ['test/http/writes.test.ts'],
  },
  {
    rule: 'PROTOCOL 4: a receipt that ended before the wait is noticed',
    file: 'src/receipts/waiting.ts',
    find: 'const now = await current(documents, receipt)',
    replace: 'const now = receipt',
    killedBy: ['test/receipts/waiting.test.ts'],
  },
  {
    rule: 'PROTOCOL 4: a receipt that ends between the first read and the wait is noticed',
    file: 'src/receipts/waiting.ts',
    find: `      const { promise, stop } = waitFor(waiters, receipt.id, ms)
      // it may have ended before we started to wait
      const now = await current(documents, receipt)
`,
    replace: `      const now = await current(documents, receipt)
      const { promise, stop } = waitFor(waiters, receipt.id, ms)
`,
    killedBy: ['test/receipts/waiting.test.ts'],
  },
  {
    rule: 'PROTOCOL 4: long-polls share one query',
    file: 'src/receipts/waiting.ts',
    find: '    if (polling) return\n',
    replace: '',
    killedBy: ['test/receipts/waiting.test.ts'],
  },
  {
    rule: 'PROTOCOL 4: if all workers are in this process, waiting needs no query',
    file: 'src/receipts/waiting.ts',
    find: 'if (!workersInProcess) void poll()',
    replace: 'void poll()',
    killedBy: ['test/receipts/waiting.test.ts'],
  },
]
