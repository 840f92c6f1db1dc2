import type { SqlJob, Statement } from '@trellis/contract/sql/sql.schemas'
import { expect, test } from 'vitest'
import { describeResult } from './result-words.ts'

const job = { status: 'completed', row_limit: 1000 } as SqlJob
const statement = {
  status: 'completed',
  rows: 1,
  cut_at: null,
  duration_ms: 12.4,
  command: 'SELECT',
  columns: [],
} as unknown as Statement

test.each<[Partial<Statement>, string]>([
  [{}, '1 row · 12 ms'],
  [{ rows: 1000, cut_at: 'rows', duration_ms: 2345 }, '1,000 rows (row limit 1,000 reached) · 2.3 s'],
  [{ command: 'CREATE TABLE', columns: null, rows: 0 }, 'CREATE TABLE · 12 ms'],
  [{ command: 'UPDATE', columns: null, rows: 3 }, '3 rows · 12 ms'],
  [{ status: 'running', rows: 1500 }, 'Running · 1,500 rows so far'],
])('%o', (change, words) => expect(describeResult(job, { ...statement, ...change })).toBe(words))
