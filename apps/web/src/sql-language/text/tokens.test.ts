import { createPositions } from '@trellis/sql-grammar/positions'
import { runScanner } from '@trellis/sql-grammar/run-grammar'
import { splitStatements } from '@trellis/sql-grammar/split'
import { describe, expect, test } from 'vitest'
import { listParameterNames } from './parameters.ts'
import { blankMetaLines, cutAround, findStatementAt, listStatements, readStatementAround } from './statements.ts'
import { readTokens } from './tokens.ts'

const PIECES = [
  'select',
  ' ',
  '\n',
  '*',
  ',',
  ';',
  '(',
  ')',
  'from',
  'orders',
  'o',
  '.',
  '"Full ""Name"""',
  "'it''s'",
  "e'a\\'b'",
  "U&'x'",
  '$$ a ; b $$',
  '$x$ $$ $x$',
  '-- note;\n',
  '/* a /* b */ ; */',
  '1',
  '1.5e3',
  '.5',
  '0xff',
  '$1',
  '::',
  ':=',
  ':',
  'name',
  '<=',
  '<>',
  '||',
  '->>',
  '@>',
  '!=',
  '+',
  '-',
  '=-1',
  '[',
  ']',
  '%',
  'ünïcode',
  'begin',
  'atomic',
  'end',
  'case',
  "b'01'",
  '\t',
  '1..2',
]

/** A small generator, so that a failing text can be found again. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

describe('against the scanner of PostgreSQL', () => {
  test('the same tokens in 400 random texts', async () => {
    const random = createRandom(7)
    let compared = 0
    for (let round = 0; round < 400; round += 1) {
      const sql = Array.from(
        { length: 1 + Math.floor(random() * 14) },
        () => PIECES[Math.floor(random() * PIECES.length)] + (random() < 0.6 ? ' ' : ''),
      ).join('')
      const scanned = await runScanner(sql)
      if (!scanned) continue
      const { fromBytes } = createPositions(sql)
      const expected = scanned.map(({ start, end }) => sql.slice(fromBytes(start), fromBytes(end)))
      expect(
        readTokens(sql).map(({ text }) => text),
        JSON.stringify(sql),
      ).toEqual(expected)
      compared += 1
    }
    expect(compared).toBeGreaterThan(200)
  })

  test('the same statements', async () => {
    const random = createRandom(11)
    for (let round = 0; round < 200; round += 1) {
      const sql = Array.from(
        { length: 1 + Math.floor(random() * 20) },
        () => PIECES[Math.floor(random() * PIECES.length)],
      ).join(' ')
      const spans = await splitStatements(sql)
      if (!spans) continue
      const own = listStatements(readTokens(sql)).map(({ start, end }) => ({ start, end }))
      expect(own, JSON.stringify(sql)).toEqual(spans)
    }
  })
})

test('what is never closed is read to the end', () => {
  for (const text of ["'open", '"open', '/* open', '$$ open', "e'open"])
    expect(readTokens(`select ${text}`).at(-1)).toMatchObject({ text, isOpen: true })
})

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
