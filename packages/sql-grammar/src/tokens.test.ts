import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPositions } from './positions.ts'
import { runScanner } from './run-grammar.ts'
import { listStatements, splitStatements } from './split.ts'
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
  "E'a'\n'\\';b'",
  '-- note;\r',
]

/** Seeded, to reproduce failures. */
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
})

test('what is never closed is read to the end', () => {
  for (const text of ["'open", '"open', '/* open', '$$ open', "e'open"])
    expect(readTokens(`select ${text}`).at(-1)).toMatchObject({ text, isOpen: true })
})

test('a text of a megabyte is cut without delay or overflow', () => {
  const values = Array.from({ length: 200_000 }, (_, at) => at % 10).join(',')
  for (const sql of [
    `select ${'('.repeat(400_000)}`,
    `select '${"x''".repeat(300_000)}'`,
    `select ${values}`,
    '-'.repeat(900_000),
  ])
    expect(splitStatements(`${sql}\n; select 2`)?.length).toBeGreaterThan(0)
})

test.each(["select 1; select 'open", 'select 1; /* open', 'select 1\0; select 2'])('%j is not cut', (sql) => {
  expect(splitStatements(sql)).toBeUndefined()
})

test('a text that can be only one statement is split as its tokens say', () => {
  const sign = fc.constantFrom('a', '1', '(', ')', ',', ' ', '\n', '\t', '\u00a0', '\ufeff', ':', '@', '-', '*', 'é')
  fc.assert(
    fc.property(fc.string({ unit: sign, maxLength: 20 }), (sql) => {
      const spans = listStatements(readTokens(sql)).map(({ start, end }) => ({ start, end }))
      expect(splitStatements(sql)).toEqual(spans)
    }),
    { numRuns: 2000 },
  )
})
