import { listStatements } from '@trellis/sql-grammar/split'
import { readTokens } from '@trellis/sql-grammar/tokens'
import { expect, test } from 'vitest'
import { listParameterNames } from './parameters.ts'
import { blankMetaLines, sliceAround, findStatementAt, readStatementAround, STATEMENT_WINDOW } from './statements.ts'

test('the statement at a place', () => {
  const sql = 'select 1;\n\nselect 2; -- end\n'
  const statements = listStatements(readTokens(sql))
  const at = (offset: number) => {
    const statementTokens = findStatementAt(statements, offset)
    return statementTokens && sql.slice(statementTokens.start, statementTokens.end)
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

const toText = (sql: string) => {
  const reads: number[] = []
  const read = (start: number, end: number) => {
    reads.push(end - start)
    return sql.slice(start, end)
  }
  return { length: sql.length, read, countRead: () => reads.reduce((sum, length) => sum + length, 0) }
}

test('a long text is cut between statements around a place, without reading all of it', () => {
  const sql = Array.from({ length: 50_000 }, (_, at) => `select ${at};`).join('\n')
  const offset = sql.indexOf('select 25000') + 3
  const source = toText(sql)
  const { start, text } = sliceAround(source, offset, STATEMENT_WINDOW)
  expect(text.length).toBeLessThan(45_000)
  expect(source.countRead()).toBeLessThan(100_000)
  expect(text).toMatch(/^select \d+;/)
  expect(text).toMatch(/;$/)
  expect(text.slice(offset - start - 3, offset - start + 9)).toBe('select 25000')
})

test('a text that is short, or has no end of a statement, is not cut', () => {
  expect(sliceAround(toText('select 1;'), 3, STATEMENT_WINDOW)).toEqual({ start: 0, text: 'select 1;' })
  const one = `select '${'x'.repeat(100_000)}'`
  expect(sliceAround(toText(one), 90_000, STATEMENT_WINDOW)).toEqual({ start: 0, text: one })
})

test('the end of a statement is found where two reads meet', () => {
  for (const before of [39_998, 39_999, 40_000, 40_001]) {
    const sql = `${'x'.repeat(before)};\n${'y'.repeat(60_000)}`
    expect(sliceAround(toText(sql), 0, STATEMENT_WINDOW).text.length).toBe(before + 1)
  }
})
