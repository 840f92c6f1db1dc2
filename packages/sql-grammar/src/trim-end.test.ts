import { expect, test } from 'vitest'
import { trimStatementEnd } from './trim-end.ts'

test.each([
  ['select 1 ; ;\n', 'select 1'],
  ['select 1', 'select 1'],
  ['; ', ''],
  ['', ''],
])('%j ends without semicolons and space', (sql, trimmed) => {
  expect(trimStatementEnd(sql)).toBe(trimmed)
})

test('a statement with a million spaces inside takes no longer than it is long', () => {
  const sql = `select${' '.repeat(1_000_000)}1`
  expect(trimStatementEnd(`${sql};`)).toBe(sql)
})
