/**
 * Mutants of the protocol of runs: leases, sessions and what maintain does. That a guard checks the lease when it starts
 * a command is tested with real processes (test/contracts/executor.contract.ts).
 */
import type { Mutant } from './mutant.ts'

const protocol = ['test/runs/protocol.test.ts']

export const runProtocol: readonly Mutant[] = [
  {
    rule: 'V2 4.4: a session has ended long before its lease can be taken',
    file: 'src/runs/worker/keeper.ts',
    find: 'const sessionLives = 25_000',
    replace: 'const sessionLives = 60_000',
    killedBy: protocol,
  },
  {
    rule: 'V2 4.4: a session lives from the moment at which the take was sent, not from its answer',
    file: 'src/runs/worker/claim.ts',
    find: 'keepLease(ports, held, sent)',
    replace: 'keepLease(ports, held, Math.max(sent, clock.elapsed()))',
    killedBy: ['test/runs/claim.test.ts'],
  },
  {
    rule: 'V2 4.4: a session starts only while its lease is fresh',
    file: 'src/runs/worker/carry-out.ts',
    find: 'keeper.until())\n    return followed',
    replace: 'ports.clock.elapsed() + 25_000)\n    return followed',
    killedBy: protocol,
  },
  {
    rule: 'V2 4.4: maintain also looks at leases without a holder',
    file: 'src/runs/maintain/leases.ts',
    find: 'isSilent && (lease.holder !== null || isActive)',
    replace: 'isSilent && lease.holder !== null && (isActive || !isActive)',
    killedBy: protocol,
  },
  {
    rule: 'V2 4.4: maintain takes a lease only after 60 s',
    file: 'src/runs/maintain/leases.ts',
    find: 'const lostAfter = 60_000',
    replace: 'const lostAfter = 25_000',
    killedBy: protocol,
  },
  {
    rule: 'a run that has ended is closed by its holder only after its milestones',
    file: 'src/runs/worker/leave.ts',
    find: 'await insist(ports, keeper, () => closeMilestones(documents, milestones, batch))\n',
    replace: 'void closeMilestones, milestones, batch\n',
    killedBy: protocol,
  },
  {
    rule: 'keys of sessions that were lost are deleted',
    file: 'src/runs/maintain/stale-keys.ts',
    find: 'if (ids.length > 0)',
    replace: 'if (ids.length > 1_000)',
    killedBy: protocol,
  },
]
