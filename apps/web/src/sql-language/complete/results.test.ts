import { expect, test } from 'vitest'
import { findResultStart, listResultItems } from './results.ts'

test('a result is typed after a blank, a comma or a parenthesis', () => {
  expect(findResultStart('select * from @', 15)).toBe(14)
  expect(findResultStart('select * from @result.ab', 24)).toBe(14)
  expect(findResultStart('@res', 4)).toBe(0)
  expect(findResultStart("where mail = 'ada@example", 25)).toBeNull()
  expect(findResultStart('select * from @result.ab where', 30)).toBeNull()
})

test('results that are kept are offered by their query', () => {
  const line = {
    job_id: '0f000000-0000-4000-8000-000000000000',
    integration_trellis_code: 'd',
    sql: 'select *\n from orders',
    status: 'completed' as const,
    person: null,
    is_mine: true,
    rows: 1200,
    duration_ms: 1,
    problem: null,
    has_results: true,
    file_id: null,
    created_at: '2026-01-01T00:00:00Z',
  }
  const items = listResultItems([line, { ...line, has_results: false }, { ...line, status: 'failed' }])
  expect(items).toHaveLength(1)
  expect(items[0]).toMatchObject({
    label: 'select * from orders',
    detail: '1,200 rows',
    insert: `@result.${line.job_id}`,
    filter: `@result.${line.job_id} select * from orders`,
  })
})
