import { listStatements } from '@trellis/sql-grammar/split'
import { readTokens } from '@trellis/sql-grammar/tokens'
import { expect, test } from 'vitest'
import { listParameterNames } from './parameters.ts'
import { blankMetaLines, cutAround, findStatementAt, readStatementAround } from './statements.ts'

test('the statement at a place', () => {
  const sql = 'select 1;\n\nselect 2; -- end\n'
  const statements = listStatements(readTokens(sql))
  const at = (offset: number) => {
    const found = findStatementAt(statements, offset)
    return found && sql.slice(found.start, found.end)
  }
  expect([at(0), at(8), at(10), at(12), at(27)]).toEqual(['select 1', 'select 1', 'select 1', 'select 2', 'select 2'])
  expect(readStatementAround(readTokens(sql), 9)).toMatchObject([{ text: 'select' }, { text: '2' }])
})

test('parameters are no casts, slices, texts or comments', () => {
  expect(listParameterNames("select :a, x::int, ':b', arr[1:n], :c::date -- :d\n, :a")).toEqual(['a', 'c'])
})

test('lines of psql commands are blanked in place', () => {
  expect(blankMetaLines('select 1;\n\\d orders\nselect 2')).toBe('select 1;\n         \nselect 2')
})

test('a long text is cut between statements around a place', () => {
  const sql = Array.from({ length: 5000 }, (_, at) => `select ${at};`).join('\n')
  const offset = sql.indexOf('select 2500') + 3
  const { start, text } = cutAround(sql, offset)
  expect(text.length).toBeLessThan(45_000)
  expect(text).toMatch(/^select \d+;/)
  expect(text.slice(offset - start - 3, offset - start + 8)).toBe('select 2500')
  expect(cutAround('select 1;', 3)).toEqual({ start: 0, text: 'select 1;' })
  const one = `select '${'x'.repeat(100_000)}'`
  expect(cutAround(one, 90_000)).toEqual({ start: 0, text: one })
})
