import type { SqlJob } from '@trellis/contract/sql/sql.schemas'
import { expect, test } from 'vitest'
import { listErrorMarks } from './error-marks.ts'

test('finds line and column of what failed, also in a selection', () => {
  const text = 'select 1;\nselect oops'
  const job = { statements: [{ problem: null }, { problem: { message: 'no such column', position: 17 } }] }
  expect(listErrorMarks(job as unknown as SqlJob, text, 0)).toEqual([{ line: 2, column: 8, message: 'no such column' }])
  const selected = { statements: [{ problem: { message: 'no such column', position: 7 } }] }
  expect(listErrorMarks(selected as unknown as SqlJob, text, 10)).toEqual([
    { line: 2, column: 8, message: 'no such column' },
  ])
  expect(listErrorMarks(null, text, 0)).toEqual([])
})
