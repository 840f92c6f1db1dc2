import { expect, test } from 'vitest'
import { prepareRequest } from './prepare-request.ts'

const text = 'select 1;\n\\dn\nselect 2'
const prepare = (sql: string, cursor?: number) =>
  prepareRequest({ text: sql, sql, offset: 0, ...(cursor !== undefined && { cursor }) })

test('the command at the cursor is run as SQL', () => {
  expect(prepare(text, 11)).toMatchObject({ cursor: undefined, isExpanded: true })
  expect(prepare(text, 11).sql).toContain('from pg_namespace n')
})

test('a statement beside a command keeps its place', () => {
  expect(prepare(text, 20)).toEqual({ sql: 'select 1;\n   \nselect 2', cursor: 20, isExpanded: false })
})

test('all of a text: commands in their order', () => {
  const { sql, isExpanded } = prepare(text)
  expect(isExpanded).toBe(true)
  expect(sql.indexOf('select 1')).toBeLessThan(sql.indexOf('pg_namespace'))
  expect(sql.indexOf('pg_namespace')).toBeLessThan(sql.indexOf('select 2'))
  expect(prepare('select 1')).toEqual({ sql: 'select 1', cursor: undefined, isExpanded: false })
})
