import { expect, test } from 'vitest'
import { createMeter } from './meter.ts'

test('what was counted and not committed is shown, and not kept for the next attempt', () => {
  const meter = createMeter({ rows_read: 10, rows_written: 10 })
  meter.count({ rows_read: 5 }, 'orders')
  meter.count({ rows_written: 4, rows_rejected: 1 }, 'orders')
  meter.count({ rows_read: 7 }, 'items')
  meter.markCommitted('orders')
  meter.count({ rows_read: 3, rows_written: 3 }, 'orders')
  expect(meter.readCommitted()).toMatchObject({
    counters: { rows_read: 15, rows_written: 14, rows_rejected: 1 },
    has_progressed: true,
  })
  expect(meter.read().counters).toMatchObject({ rows_read: 25, rows_written: 17 })
  meter.markCommitted()
  expect(meter.readCommitted().counters).toMatchObject({ rows_read: 25, rows_written: 17, rows_rejected: 1 })
})

const totals = (rows: number) => ({ rows_read: rows + 1, rows_written: rows, rows_updated: 0, rows_rejected: 1 })

test('what a killed attempt committed after its last heartbeat is counted by the next one, once', () => {
  const killed = createMeter({}, { isFirst: true })
  killed.setLoadTotals({ rows_read: 0, rows_written: 0, rows_updated: 0, rows_rejected: 0 }, 'orders')
  killed.count({ rows_read: 11, rows_written: 10, rows_rejected: 1 }, 'orders')
  killed.markCommitted('orders')
  killed.count({ rows_read: 5, rows_written: 5 }, 'orders')
  const savedCounter = killed.readSaved().counters
  expect(savedCounter).toMatchObject({ rows_read: 16, rows_written: 15 })
  const next = createMeter(savedCounter, { isFirst: true })
  expect(next.read().counters).toMatchObject({ rows_read: 11, rows_written: 10 })
  next.setLoadTotals(totals(30), 'orders')
  next.count({ rows_read: 4, rows_written: 4 }, 'orders')
  next.markCommitted('orders')
  const { counters } = createMeter(next.readSaved().counters).read()
  expect(counters).toMatchObject({ rows_read: 35, rows_written: 34, rows_rejected: 1 })
  expect(Object.keys(next.read().counters)).not.toContain('load:orders:rows_read')
})

test('a load that began anew is counted anew', () => {
  const meter = createMeter({}, { isFirst: true })
  meter.setLoadTotals(totals(0), 'orders')
  meter.count({ rows_written: 100 }, 'orders')
  meter.markCommitted('orders')
  const next = createMeter(meter.readSaved().counters, { isFirst: true })
  next.setLoadTotals(totals(0), 'orders')
  expect(next.read().counters).toMatchObject({ rows_written: 0 })
})

test('a retry by a person does not count what the run before it loaded', () => {
  const meter = createMeter({})
  meter.setLoadTotals(totals(50), 'orders')
  meter.count({ rows_written: 3 }, 'orders')
  expect(meter.read().counters).toMatchObject({ rows_read: 0, rows_written: 3, rows_rejected: 0 })
})

test('a load whose rows were taken out is counted anew, also by a retry that did not count them', () => {
  for (const meter of [createMeter({}), createMeter({}, { isFirst: true })]) {
    meter.setLoadTotals(totals(50), 'orders')
    meter.setLoadTotals({ rows_read: 0, rows_written: 0, rows_updated: 0, rows_rejected: 0 }, 'orders')
    meter.count({ rows_read: 70, rows_written: 70 }, 'orders')
    expect(meter.read().counters).toMatchObject({ rows_read: 70, rows_written: 70, rows_rejected: 0 })
  }
})

test('a run that does nothing has not the memory of its worker', () => {
  const held = Buffer.alloc(64 * 1024 * 1024, 1)
  const { counters } = createMeter({}).read()
  expect(counters['peak_memory_bytes']).toBeLessThan(held.byteLength)
})
