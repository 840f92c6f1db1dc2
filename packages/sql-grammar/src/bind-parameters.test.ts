import { describe, expect, it } from 'vitest'
import { bindParameters, toSourceOffset } from './bind-parameters.ts'

const types = new Map([
  ['day', 'date'],
  ['n', 'integer'],
])

describe('bindParameters', () => {
  it.each([
    ['select :n', 'select $1::integer', ['n']],
    ['select :n, :day, :n', 'select $1::integer, $2::date, $1::integer', ['n', 'day']],
    ["select ':n', x::text, a[1:2] from t -- :n", "select ':n', x::text, a[1:2] from t -- :n", []],
    ['select $$ :n $$, ":n", /* :day */ :day', 'select $$ :n $$, ":n", /* :day */ $1::date', ['day']],
    ['select :other', 'select :other', []],
    ['select a::n', 'select a::n', []],
    ["select 'open :n", "select 'open :n", []],
  ])('%s', async (sql, text, names) => {
    expect(await bindParameters(sql, types)).toMatchObject({ text, names })
  })

  it('finds the place of every character again', async () => {
    const sql = "select 'ü😀', :n + oops, :day"
    const { text, pieces } = await bindParameters(sql, types)
    expect(toSourceOffset(pieces, text.indexOf('oops'))).toBe(sql.indexOf('oops'))
    expect(toSourceOffset(pieces, text.indexOf('😀'))).toBe(sql.indexOf('😀'))
    expect(toSourceOffset(pieces, text.indexOf('$1') + 3)).toBe(sql.indexOf(':n'))
    expect(toSourceOffset(pieces, text.length)).toBe(sql.length)
  })
})
