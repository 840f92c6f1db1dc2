import { describe, expect, test } from 'vitest'
import { parseCron } from '../schedules/schedule.ts'
import type { TriggerFacts } from './explain.ts'
import { explainTrigger } from './explain.ts'
import type { Branch } from './trigger.ts'
import { NO_TRIGGER, toActivityBranch } from './trigger.ts'

const now = Date.parse('2026-11-15T10:00:00Z')
const MINUTE = 60_000
const orders: Branch = { name: toActivityBranch('b1'), blockId: 'b1' }
const spend: Branch = { name: toActivityBranch('b2'), blockId: 'b2' }
const daily: Branch = { name: 'schedule', schedule: parseCron('0 6 * * ? *', 'America/New_York') }
const facts = (given: Partial<TriggerFacts>): TriggerFacts => ({
  trigger: { scope: 'all', branches: [daily, orders, spend] },
  now,
  unused: [],
  since: now - 90 * MINUTE,
  blocks: new Map([
    ['b1', { name: 'Orders', lastRun: { status: 'SUCCESS', at: now - 120 * MINUTE } }],
    ['b2', { name: 'Ad spend', lastRun: { status: 'FAILED', at: now - 30 * MINUTE } }],
  ]),
  lastTick: null,
  ...given,
})

describe('explaining a trigger', () => {
  test('all: what arrived, what is missing, since when, and why the last tick did not fire', () => {
    const report = explainTrigger(
      facts({
        unused: [
          { id: '1', branch: 'schedule', at: now - 20 * MINUTE },
          { id: '2', branch: toActivityBranch('b1'), at: now - 5 * MINUTE },
          { id: '3', branch: toActivityBranch('b1'), at: now - MINUTE },
        ],
        lastTick: { at: now - 20 * MINUTE, outcome: 'waits_for_others' },
      }),
    )
    expect(report.state).toBe('waiting')
    expect(report.sentence).toBe('Waiting for Ad spend.')
    expect(report.missing).toEqual(['activity:b2'])
    expect(report.branches.map(({ hasArrived, count, since }) => [hasArrived, count, (now - since) / MINUTE])).toEqual([
      [true, 1, 20],
      [true, 2, 5],
      [false, 0, 90],
    ])
    expect(report.branches.map(({ sentence }) => sentence)).toEqual([
      'Arrived 20 minutes ago.',
      'Arrived 5 minutes ago, 1 more behind it.',
      'Nothing for 1 hour 30 minutes; its last run failed on Sunday 15 November 2026 at 09:30 UTC.',
    ])
    expect(report.lastTick).toBe('Due Sunday 15 November 2026, 09:40 UTC. It arrived and waits for Ad spend.')
    expect(new Date(report.nextDue ?? 0).toISOString()).toBe('2026-11-15T11:00:00.000Z')
  })

  test('a missing schedule says when it is next due, a success whether it came before or is on its way', () => {
    const [schedule, success] = explainTrigger(facts({})).branches
    expect(schedule?.sentence).toBe(
      'Nothing for 1 hour 30 minutes; next due Sunday 15 November 2026, 06:00 (UTC-05:00).',
    )
    expect(success?.sentence).toBe(
      'Nothing for 1 hour 30 minutes; its last success came before that, on Sunday 15 November 2026 at 08:00 UTC.',
    )
    const blocks = new Map([['b1', { name: 'Orders', lastRun: { status: 'SUCCESS' as const, at: now - MINUTE } }]])
    const [, undelivered] = explainTrigger(facts({ blocks })).branches
    expect(undelivered?.sentence).toBe(
      'Nothing for 1 hour 30 minutes; its last success is on its way, it came on Sunday 15 November 2026 at 09:59 UTC.',
    )
  })

  test('a schedule that never comes again, a block that was deleted', () => {
    const endedBranch: Branch = { name: 'schedule', schedule: parseCron('0 6 * * ? 2020', 'UTC') }
    const report = explainTrigger(
      facts({ trigger: { scope: 'all', branches: [endedBranch, orders] }, blocks: new Map() }),
    )
    expect(report.branches.map(({ sentence }) => sentence)).toEqual([
      'Nothing for 1 hour 30 minutes, and this schedule never comes due again.',
      'The block it waits for was deleted. Take it out of the trigger.',
    ])
    expect(report.nextDue).toBeNull()
  })

  test('any, ready and off', () => {
    expect(explainTrigger(facts({ trigger: NO_TRIGGER }))).toMatchObject({ state: 'off', branches: [] })
    const any = { scope: 'any', branches: [orders] } as const
    expect(explainTrigger(facts({ trigger: any })).state).toBe('any')
    const unused = [{ id: '1', branch: toActivityBranch('b1'), at: now }]
    expect(explainTrigger(facts({ trigger: any, unused })).state).toBe('ready')
  })

  test('a dropped tick says why', () => {
    expect(explainTrigger(facts({ lastTick: { at: now, outcome: 'overlapped' } })).lastTick).toBe(
      'Due Sunday 15 November 2026, 10:00 UTC. A run was still going on, and this block skips what comes meanwhile.',
    )
  })
})
