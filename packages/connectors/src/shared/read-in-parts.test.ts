import type { ReadState, RowBatch } from '@trellis/connector-kit/batch'
import { describe, expect, it } from 'vitest'
import { addDays, splitWindow } from './day-windows.ts'
import type { Plan } from './read-in-parts.ts'
import { readInParts } from './read-in-parts.ts'

function createPlan(names: readonly string[], range: Plan['range'], parts: string[] = []): Plan {
  return {
    names,
    range,
    signal: new AbortController().signal,
    stepDays: 5,
    lookbackDays: 3,
    async *readPart({ name, window, at }) {
      parts.push(`${name} ${window?.from ?? ''}`)
      const days = window ? splitWindow(window, 1).map(({ from }) => from) : ['a', 'b', 'c']
      const start = typeof at?.['from'] === 'number' ? at['from'] : 0
      for (let from = start; from < days.length; from += 2) {
        yield { rows: days.slice(from, from + 2).map((day) => [name, day]), at: { from: from + 2 } }
      }
    },
  }
}

async function readAll(plan: Plan, asked: Parameters<typeof readInParts>[1] = {}) {
  const batches: RowBatch[] = []
  for await (const batch of readInParts(plan, asked)) batches.push(JSON.parse(JSON.stringify(batch)) as RowBatch)
  const rows = batches.flatMap(({ rows: some }) => some.map(String))
  return { batches, rows, state: batches.at(-1)?.state as ReadState }
}

const range = { from: '2026-01-01', to: '2026-01-12' }

describe('reading in parts', () => {
  it.each([[range], [null]])('goes on from any state exactly where it stopped: %j', async (days) => {
    const whole = await readAll(createPlan(['one', 'two'], days))
    for (const [index, { state }] of whole.batches.slice(0, -1).entries()) {
      if (!state) throw new Error('every batch says where to go on')
      const before = whole.batches.slice(0, index + 1).flatMap(({ rows }) => rows.map(String))
      const after = await readAll(createPlan(['one', 'two'], days), { state })
      expect([...before, ...after.rows]).toEqual(whole.rows)
    }
  })

  it('goes on in the window it was in, though the range has grown since', async () => {
    const whole = await readAll(createPlan(['one', 'two'], range))
    const middle = whole.batches.findIndex(
      ({ state }) => (state?.['window'] as { to?: string } | undefined)?.to === '2026-01-12',
    )
    const state = whole.batches[middle]?.state as ReadState
    const grown = { ...range, to: '2026-01-20' }
    const before = whole.batches.slice(0, middle + 1).flatMap(({ rows }) => rows.map(String))
    const { rows } = await readAll(createPlan(['one', 'two'], grown), { state })
    expect(new Set([...before, ...rows])).toEqual(new Set((await readAll(createPlan(['one', 'two'], grown))).rows))
  })

  it('begins so many days before the last one next time', async () => {
    const { state } = await readAll(createPlan(['one'], range))
    expect(state).toEqual({ cursor: '2026-01-12', known: ['one'] })
    const { rows } = await readAll(createPlan(['one'], { ...range, to: '2026-01-13' }), { state })
    expect(rows).toEqual(['09', '10', '11', '12', '13'].map((day) => `one,2026-01-${day}`))
  })

  it('reads from the beginning what is new, and only that', async () => {
    const { state } = await readAll(createPlan(['one'], range))
    const parts: string[] = []
    const { rows } = await readAll(createPlan(['one', 'two'], range, parts), { state })
    expect(rows.filter((row) => row.startsWith('two'))).toHaveLength(12)
    expect(parts.filter((part) => part.startsWith('one'))).toEqual(['one 2026-01-06', 'one 2026-01-11'])
  })

  it('looks at the newest days first and stops when it has enough', async () => {
    const parts: string[] = []
    const { rows } = await readAll(createPlan(['one', 'two'], range, parts), { limit: 2 })
    expect(rows).toEqual(['one,2026-01-11', 'one,2026-01-12'])
    expect(parts).toEqual(['one 2026-01-11'])
  })

  it('fills a window without a state', async () => {
    const window = { from: '2025-05-01', to: addDays('2025-05-01', 2) }
    const { rows, batches } = await readAll(createPlan(['one'], range), { window })
    expect(rows).toHaveLength(3)
    expect(batches.every(({ state }) => state === undefined)).toBe(true)
  })

  it('takes a state it cannot read for none', async () => {
    const { rows } = await readAll(createPlan(['one'], range), {
      state: { cursor: 5, window: 'x', done: 'y', known: [1] },
    })
    expect(rows).toHaveLength(12)
  })
})
