import { expect, test } from 'vitest'
import { returnsRows, isComplete, toBlockName, toRequest, toTableName } from './worksheet-block.ts'

test('a block and its table are named after the file', () => {
  expect(toBlockName('Revenue by month.sql')).toBe('Revenue by month')
  expect(toBlockName('.sql')).toBe('.sql')
  expect(toTableName('Revenue by month.sql')).toBe('revenue_by_month')
  expect(toTableName('2026 – Umsätze.sql')).toBe('t_2026_umsätze')
})

test('one SELECT gives rows; what writes, and several statements, do not', () => {
  expect(returnsRows('-- insert nothing\nselect 1;')).toBe(true)
  expect(returnsRows('with a as (select 1) select * from a')).toBe(true)
  expect(returnsRows('with a as (delete from t returning *) select * from a')).toBe(false)
  expect(returnsRows('select 1; select 2')).toBe(false)
  expect(returnsRows('insert into t select 1')).toBe(false)
  expect(returnsRows('')).toBe(false)
})

test('what was chosen becomes a request once it is complete', () => {
  const choice = {
    dataflow: '',
    dataflowName: ' Nightly ',
    folder: '',
    blockName: 'Revenue',
    hasTable: true,
    schemaName: 'data',
    tableName: '',
  }
  expect(isComplete(choice)).toBe(false)
  expect(isComplete({ ...choice, hasTable: false })).toBe(true)
  expect(isComplete({ ...choice, hasTable: false, dataflowName: ' ' })).toBe(false)
  expect(toRequest({ ...choice, tableName: 'made' })).toEqual({
    dataflow: { name: 'Nightly', folder_trellis_code: null },
    block_name: 'Revenue',
    table: { schema_name: 'data', table_name: 'made' },
  })
  expect(toRequest({ ...choice, dataflow: 'abc', hasTable: false })).toMatchObject({
    dataflow: { trellis_code: 'abc' },
    table: null,
  })
})
