import { type LeasedRun, claimRun, raiseEpoch, renewLease } from '@trellis/dataflow-engine/runs/lease'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decideFence } from './fence.ts'

const fresh: LeasedRun = { epoch: 0, lease: null, isEnded: false }

test('a stale number never writes; a load that is done is not done again', () => {
  expect(decideFence(undefined, 1)).toEqual({ do: 'write' })
  expect(decideFence({ epoch: 2, isDone: false }, 1).do).toBe('stop')
  expect(decideFence({ epoch: 2, isDone: true }, 1).do).toBe('stop')
  expect(decideFence({ epoch: 2, isDone: false }, 2).do).toBe('write')
  expect(decideFence({ epoch: 2, isDone: false }, 3).do).toBe('write')
  expect(decideFence({ epoch: 2, isDone: true }, 3).do).toBe('finished')
})
test('however workers race and clocks jump, numbers of commits only rise', () => {
  const op = fc.record({
    kind: fc.constantFrom('claim', 'renew', 'commit', 'cancel', 'wait'),
    worker: fc.constantFrom('w1', 'w2', 'w3'),
    ms: fc.integer({ min: -40_000, max: 60_000 }),
  })
  fc.assert(
    fc.property(fc.array(op, { maxLength: 60 }), (ops) => {
      let run = fresh
      let state: { epoch: number; isDone: boolean } | undefined
      let now = 1e9
      const held = new Map<string, number>()
      for (const { kind, worker, ms } of ops) {
        const own = held.get(worker)
        if (kind === 'wait') now += ms
        if (kind === 'claim') {
          const next = claimRun(run, worker, now)
          if (next) held.set(worker, next.epoch)
          if (next) expect([...held.values()].every((epoch) => epoch <= next.epoch)).toBe(true)
          run = next ?? run
        }
        if (kind === 'renew' && own !== undefined) run = renewLease(run, own, now) ?? run
        if (kind === 'cancel') {
          run = raiseEpoch(run)
          state = { epoch: run.epoch, isDone: false }
        }
        if (kind === 'commit' && own !== undefined && decideFence(state, own).do === 'write') {
          expect(own).toBeGreaterThanOrEqual(state?.epoch ?? 0)
          state = { epoch: own, isDone: false }
        }
      }
    }),
  )
})
