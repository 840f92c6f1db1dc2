import { expect, test } from 'vitest'
import { createEngine } from '../engine/answer.ts'
import { matchVerifiedQuestion } from './match-verified.ts'
import { listParameters, resolveParameters, replaceParametersByNull } from './parameters.ts'

const column = (name: string, kind: 'text' | 'integer' | 'date', values: string[] = []) => ({
  name,
  kind,
  comment: null,
  isNullable: false,
  values,
  distinct: values.length,
})
const { model } = createEngine({
  tables: [
    {
      schema: 'shop',
      name: 'customers',
      comment: null,
      labels: [],
      rows: 10,
      primaryKey: [],
      columns: [
        column('country', 'text', ['DE', 'AT']),
        column('joined_on', 'date'),
        column('visits', 'integer'),
        column('zip', 'text'),
      ],
    },
  ],
  foreignKeys: [],
  synonyms: [],
})
const now = new Date('2026-03-10T12:00:00Z')

test.each([
  ['Best customers in :country', 'best customers in Austria', { country: 'Austria' }],
  ['Best customers in :country', 'Who are the best customers in the United States?', { country: 'United States' }],
  ['Best customers in :country', 'best customers', undefined],
  ['Best customers in :country', 'worst customers in Austria', undefined],
  ['Best customers in :country', 'Best customers in :country', {}],
  ['Top :count customers since :day', 'top 5 customers since March 2025', { count: '5', day: 'March 2025' }],
  ['Revenue by month', 'by month revenue', {}],
  ['Revenue by month', 'revenue by week', undefined],
  [':anything', 'drop everything', undefined],
])('“%s” asked as “%s” is %o', (pattern, asked, values) => {
  expect(matchVerifiedQuestion(pattern, asked)).toEqual(values)
})

const read = (sql: string, values: Record<string, string>, choices: Record<string, string> = {}) =>
  resolveParameters({ sql, model, values, choices, now })

test.each([
  ['select * from customers where country = :c', { c: 'austria' }, "select * from customers where country = 'AT'"],
  [
    'select * from customers where country = :c',
    { c: "x' or 1=1 --" },
    "select * from customers where country = 'x'' or 1=1 --'",
  ],
  [
    'select * from customers where joined_on >= :d',
    { d: 'March 2025' },
    "select * from customers where joined_on >= '2025-03-01'",
  ],
  ['select * from customers limit :n', { n: 'five' }, 'select * from customers limit 5'],
  ['select * from customers limit :n', { n: '5; drop table x' }, 'select * from customers limit 5'],
  ['select * from customers where zip = :z', { z: '01234' }, "select * from customers where zip = '01234'"],
  ["select now() - :n::int * interval '1 day'", { n: '30' }, "select now() - 30::int * interval '1 day'"],
])('%s with %o runs %s', (sql, values, bound) => {
  expect(read(sql, values as Record<string, string>).sql).toBe(bound)
})

test('placeholders in texts, names, comments and casts are none', () => {
  const sql = `select ':a', ":b", c::date, $$ :d $$ /* :e */ from t where x = :real -- :f`
  expect(listParameters(sql)).toEqual(['real'])
  expect(replaceParametersByNull('select * from t where x = :real')).toBe('select * from t where x = null')
})

test('each value is a chip that can be changed; without a value nothing runs', () => {
  const sql = 'select * from customers where country = :country'
  const missingReadParameters = read(sql, {})
  expect(missingReadParameters).toMatchObject({ sql: undefined, missing: ['country'] })
  const chosen = read(sql, { country: 'Austria' }, { 'parameter.country': 'DE' })
  expect(chosen.sql).toContain("'DE'")
  expect(chosen.chips).toEqual([
    {
      id: 'parameter.country',
      kind: 'parameter',
      label: 'country',
      words: 'Austria',
      value: 'DE',
      options: [
        { value: 'AT', label: 'AT' },
        { value: 'DE', label: 'DE' },
      ],
    },
  ])
})
