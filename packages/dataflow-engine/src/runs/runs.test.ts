import { RUN_STATUSES } from '@trellis/contract/dataflows/dataflow-words'
import type { RunStatus } from '@trellis/contract/dataflows/dataflow-words'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Attempt } from './attempts.ts'
import { ATTEMPT_LIMITS, decideAttempt } from './attempts.ts'
import { STATE_LIMITS, computeDeadline, findOverdue } from './deadlines.ts'
import type { LeasedRun } from './lease.ts'
import { LEASE_MS, canReap, claimRun, raiseEpoch, renewLease } from './lease.ts'
import type { RunEvent } from './run-states.ts'
import { RUN_TRANSITIONS, canMove, findNextStatus, isHeld, isTerminal } from './run-states.ts'
import { computeTaskStatus } from './task-status.ts'

const STEPS: RunEvent[] = [
  ...(
    ['claimed', 'prepared', 'connected', 'working', 'loaded', 'blocked', 'unblocked', 'cancelled', 'retried'] as const
  ).map((kind) => ({ kind })),
  { kind: 'ended', status: 'FAILED' },
  { kind: 'ended', status: 'EXCEPTION' },
]

describe('states of a run', () => {
  test('the way of a good run', () => {
    let status: RunStatus = 'QUEUED'
    const way = (['claimed', 'prepared', 'connected', 'working', 'loaded'] as const).map((kind) => {
      status = findNextStatus(status, { kind }) ?? status
      return status
    })
    expect(way).toEqual(['SYSTEM_DEQUEUED', 'PROVISIONING', 'INITIALIZING', 'RUNNING', 'SUCCESS'])
  })
  test('an expired plan holds a run back and lets it go', () => {
    expect(findNextStatus('QUEUED', { kind: 'blocked' })).toBe('SYSTEM_BLOCKED')
    expect(findNextStatus('SYSTEM_BLOCKED', { kind: 'unblocked' })).toBe('QUEUED')
    expect(findNextStatus('RUNNING', { kind: 'blocked' })).toBeUndefined()
  })
  test('exactly three are final, and whatever is not has a deadline', () => {
    expect(RUN_STATUSES.filter(isTerminal)).toEqual(['SUCCESS', 'FAILED', 'EXCEPTION'])
    for (const status of RUN_STATUSES) {
      expect(STATE_LIMITS[status] === undefined).toBe(isTerminal(status))
      expect(computeDeadline({ status, since: 0 }) === null).toBe(isTerminal(status))
      if (!isTerminal(status)) expect(findNextStatus(status, { kind: 'cancelled' })).toBe('FAILED')
      if (isHeld(status)) expect(RUN_TRANSITIONS[status]).toContain('QUEUED')
    }
  })
  test('nothing leads out of a final state or past the table', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...STEPS), { maxLength: 40 }), (events) => {
        let status: RunStatus = 'QUEUED'
        for (const event of events) {
          const next = findNextStatus(status, event)
          if (next === undefined) continue
          expect(isTerminal(status)).toBe(false)
          expect(canMove(status, next)).toBe(true)
          status = next
        }
      }),
    )
  })
  test('after whatever happened, time alone brings every run to an end', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...STEPS), { maxLength: 20 }), (events) => {
        let status = events.reduce<RunStatus>((from, event) => findNextStatus(from, event) ?? from, 'QUEUED')
        let now = 0
        for (let turn = 0; turn < 3 && !isTerminal(status); turn++) {
          const since = now
          now = computeDeadline({ status, since }) ?? now
          expect(findOverdue({ status, since }, now - 1)).toBeUndefined()
          const overdue = findOverdue({ status, since }, now)
          const event: RunEvent =
            overdue?.do === 'end' ? { kind: 'ended', status: overdue.status } : { kind: 'retried' }
          status = findNextStatus(status, event) ?? status
        }
        expect(isTerminal(status)).toBe(true)
      }),
    )
  })
  test('a block may set its own limit for running', () => {
    expect(findOverdue({ status: 'RUNNING', since: 0, runningLimitMs: 60_000 }, 60_000)).toMatchObject({
      do: 'end',
      status: 'FAILED',
      reason: 'It ran longer than 1 minute. Read less at a time or raise the limit of the block.',
    })
    expect(findOverdue({ status: 'QUEUED', since: 0 }, 1e9)).toMatchObject({ do: 'end', status: 'EXCEPTION' })
    expect(findOverdue({ status: 'SYSTEM_BLOCKED', since: 0 }, 1e9)).toMatchObject({ do: 'end', status: 'FAILED' })
    expect(findOverdue({ status: 'PROVISIONING', since: 0 }, 1e9)).toMatchObject({ do: 'retry' })
    expect(findOverdue({ status: 'SUCCESS', since: 0 }, 1e9)).toBeUndefined()
  })
})

describe('states of a task', () => {
  test.each([
    [{ isSetUp: false }, 'SETUP_INCOMPLETE'],
    [{}, 'PENDING'],
    [{ isWorkspaceBlocked: true }, 'SYSTEM_BLOCKED'],
    [{ lastRun: { status: 'SUCCESS', startedAt: 5 } }, 'SUCCESS'],
    [{ lastRun: { status: 'EXCEPTION', startedAt: 5 } }, 'SYSTEM_EXCEPTION'],
    [{ lastRun: { status: 'INITIALIZING', startedAt: 5 }, isWorkspaceBlocked: true }, 'PENDING'],
    [{ lastRun: { status: 'RUNNING', startedAt: 5 }, upstream: [{ status: 'FAILED', endedAt: 9 }] }, 'RUNNING'],
    [{ lastRun: { status: 'SUCCESS', startedAt: 5 }, upstream: [{ status: 'FAILED', endedAt: 9 }] }, 'BLOCKED'],
    [{ lastRun: { status: 'SUCCESS', startedAt: 9 }, upstream: [{ status: 'FAILED', endedAt: 5 }] }, 'SUCCESS'],
    [{ upstream: [{ status: 'EXCEPTION', endedAt: 1 }] }, 'BLOCKED'],
  ] as const)('%j is %s', (given, expected) => {
    const facts = { isSetUp: true, isWorkspaceBlocked: false, lastRun: null, upstream: [] }
    expect(computeTaskStatus({ ...facts, ...given })).toBe(expected)
  })
})

describe('attempts', () => {
  const failed = (problem: Attempt['problem'], hasProgressed = false): Attempt => ({ problem, hasProgressed })
  test.each<[string, Attempt[], ReturnType<typeof decideAttempt>['do'] | 'FAILED' | 'EXCEPTION']>([
    ['a wrong setting is never tried again', [failed('configuration')], 'FAILED'],
    ['a hiccup is', [failed('transient')], 'retry'],
    ['five fruitless ones are enough', Array.from({ length: 5 }, () => failed('transient')), 'FAILED'],
    ['ours end as ours', Array.from({ length: 5 }, () => failed('system')), 'EXCEPTION'],
    ['lost workers end as ours', Array.from({ length: 5 }, () => failed('lost')), 'EXCEPTION'],
    [
      'progress resets the count',
      [...Array.from({ length: 4 }, () => failed('transient')), failed('transient', true), failed('transient')],
      'retry',
    ],
    ['twenty are enough even with progress', Array.from({ length: 20 }, () => failed('lost', true)), 'EXCEPTION'],
    ['a quota is waited for', Array.from({ length: 10 }, () => failed('rate_limited')), 'retry'],
    ['but not for a day', [{ ...failed('rate_limited'), retryAfterMs: 86_400_000 }], 'FAILED'],
  ])('%s', (_, attempts, expected) => {
    const decision = decideAttempt(attempts, 0.5)
    expect(decision.do === 'end' ? decision.status : decision.do).toBe(expected)
  })
  test('waits grow, stay within bounds, begin anew after progress and heed the platform', () => {
    const waits = [1, 2, 3, 4].map((count) =>
      decideAttempt(
        Array.from({ length: count }, () => failed('transient')),
        0.5,
      ),
    )
    expect(waits).toEqual([3750, 7500, 15_000, 30_000].map((waitMs) => ({ do: 'retry', waitMs })))
    const progressed = [...Array.from({ length: 3 }, () => failed('transient')), failed('lost', true)]
    expect(decideAttempt(progressed, 0.5)).toEqual({ do: 'retry', waitMs: 3750 })
    expect(decideAttempt([{ ...failed('rate_limited'), retryAfterMs: 90_000 }], 0)).toMatchObject({ waitMs: 90_000 })
    expect(decideAttempt([], 0)).toEqual({ do: 'retry', waitMs: 0 })
  })
  test('who loses its worker goes on at once, and again and again without ever longer waits', () => {
    const lost = [1, 2, 3, 4].map((count) => Array.from({ length: count }, () => failed('lost')))
    expect(lost.map((attempts) => decideAttempt(attempts, 0.5))).toEqual(
      [375, 3750, 3750, 3750].map((waitMs) => ({ do: 'retry', waitMs })),
    )
    expect(decideAttempt([...(lost[2] ?? []), failed('transient')], 0.5)).toEqual({ do: 'retry', waitMs: 3750 })
  })
  test('always ends', () => {
    const problem = fc.constantFrom('transient', 'rate_limited', 'system', 'lost')
    fc.assert(
      fc.property(
        fc.infiniteStream(fc.tuple(problem, fc.boolean())),
        fc.double({ min: 0, max: 0.999 }),
        (next, chance) => {
          const attempts: Attempt[] = []
          for (;;) {
            const [kind, hasProgressed] = next.next().value
            attempts.push(failed(kind, hasProgressed))
            expect(attempts.length).toBeLessThanOrEqual(ATTEMPT_LIMITS.total)
            const decision = decideAttempt(attempts, Number.isNaN(chance) ? 0 : chance)
            if (decision.do === 'end') break
            expect(
              decision.waitMs >= (kind === 'lost' ? 250 : 2500) && decision.waitMs <= ATTEMPT_LIMITS.longestWaitMs,
            ).toBe(true)
          }
        },
      ),
    )
  })
})

describe('leases', () => {
  const freshLeasedRun: LeasedRun = { epoch: 0, lease: null, isEnded: false }
  test('held by one, renewed by the holder alone, taken over when it has run out', () => {
    const first = claimRun(freshLeasedRun, 'w1', 0)
    expect(first?.lease).toEqual({ worker: 'w1', epoch: 1, until: LEASE_MS })
    if (!first) throw new Error('not claimed')
    expect(claimRun(first, 'w2', LEASE_MS - 1)).toBeUndefined()
    expect(canReap(first, LEASE_MS - 1)).toBe(false)
    expect(canReap(first, LEASE_MS)).toBe(true)
    expect(renewLease(first, 1, LEASE_MS + 5)?.lease?.until).toBe(2 * LEASE_MS + 5)
    const second = claimRun(first, 'w2', LEASE_MS)
    expect(second?.epoch).toBe(2)
    expect(renewLease(second ?? freshLeasedRun, 1, LEASE_MS + 1)).toBeUndefined()
    expect(renewLease(raiseEpoch(first), 1, 1)).toBeUndefined()
    expect(claimRun({ ...first, isEnded: true }, 'w2', 1e9)).toBeUndefined()
  })
})
