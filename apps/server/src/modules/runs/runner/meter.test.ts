import { expect, test } from 'vitest'
import { makeMeter } from './meter.ts'

test('what was counted and not committed is shown, and not kept for the next attempt', () => {
  const meter = makeMeter({ rows_read: 10, rows_written: 10 })
  meter.count({ rows_read: 5 }, 'orders')
  meter.count({ rows_written: 4, rows_rejected: 1 }, 'orders')
  meter.count({ rows_read: 7 }, 'items')
  meter.committed('orders')
  meter.count({ rows_read: 3, rows_written: 3 }, 'orders')
  expect(meter.readCommitted()).toMatchObject({
    counters: { rows_read: 15, rows_written: 14, rows_rejected: 1 },
    has_progressed: true,
  })
  expect(meter.read().counters).toMatchObject({ rows_read: 25, rows_written: 17 })
  meter.committed()
  expect(meter.readCommitted().counters).toMatchObject({ rows_read: 25, rows_written: 17, rows_rejected: 1 })
})
