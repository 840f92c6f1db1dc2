import { describe, expect, test } from 'vitest'
import { createEngine } from '../answer.ts'
import type { CatalogueColumn, CatalogueTable } from '../schema/catalogue.ts'
import { parseSearchQuestion } from './search-question.ts'
import { buildSearchQuery } from './search-sql.ts'

const column = (name: string, kind: CatalogueColumn['kind'], values: string[] = []): CatalogueColumn => ({
  name,
  kind,
  comment: null,
  isNullable: true,
  values,
  distinct: values.length,
})
const table = (name: string, rows: number, columns: CatalogueColumn[]): CatalogueTable => ({
  schema: 'shop',
  name,
  comment: null,
  labels: [],
  rows,
  columns: [column('id', 'integer'), ...columns],
  primaryKey: ['id'],
})
const engine = createEngine({
  tables: [
    table('customers', 500, [column('email', 'text'), column('country', 'text', ['Germany', 'France'])]),
    table('orders', 900, [column('reference', 'text'), column('placed_on', 'date'), column('amount', 'number')]),
    table('events', 5_000_000, [column('message', 'text')]),
  ],
  foreignKeys: [],
  synonyms: [],
})
const now = new Date('2025-12-15T12:00:00Z')
const read = (text: string) => {
  const searchQuestion = parseSearchQuestion(engine, { text, now })
  return searchQuestion && `${searchQuestion.value} | ${searchQuestion.table?.name ?? '-'}`
}

describe('what is a search for a value', () => {
  test.each([
    ['find Ada Lovelace', 'Ada Lovelace | -'],
    ['Please search for ada@example.com', 'ada@example.com | -'],
    ['Where does "all orders" appear?', 'all orders | -'],
    ['which tables contain X-100?', 'X-100 | -'],
    ['look up 4711 in orders', '4711 | orders'],
    ['find Ada in shop.customers', 'Ada | customers'],
    ['Where is Germany?', 'Germany | -'],
    ['in which table is Ada Lovelace?', 'Ada Lovelace | -'],
  ])('%s', (text, expected) => expect(read(text)).toBe(expected))

  test.each([
    'find customers in Germany',
    'find orders over 100',
    'where are our customers',
    'find the most expensive',
    'search',
    `find ${'x'.repeat(500)}`,
    `find${' '.repeat(5000)}x`,
    'how many orders',
    'which country has the most customers',
  ])('not: %s', (text) => expect(read(text)).toBeUndefined())
})

describe('the query of a search', () => {
  const sqlFor = (value: string, name?: string) =>
    buildSearchQuery(engine.model, {
      value,
      table: engine.model.tables.find((candidate) => candidate.name === name) ?? null,
    })

  test('looks into every column that can hold the value, and names what is too large', () => {
    const { columns, leftOut } = sqlFor('4711')
    expect(columns.map(({ key }) => key)).toEqual([
      'shop.customers.id',
      'shop.customers.email',
      'shop.customers.country',
      'shop.orders.id',
      'shop.orders.reference',
    ])
    expect(leftOut.map(({ name }) => name)).toEqual(['events'])
    expect(sqlFor('Ada').columns.map(({ name }) => name)).toEqual(['email', 'country', 'reference'])
  })

  test('begins with columns that are known to have it, and searches a large table that is named', () => {
    expect(sqlFor('germ').columns[0]?.name).toBe('country')
    expect(sqlFor('Ada', 'events')).toMatchObject({ leftOut: [], columns: [{ name: 'message' }] })
  })

  test('takes quotes and the signs of patterns as they are', () => {
    expect(sqlFor("50%_o'clock\\", 'events').sql).toContain("ilike '%50\\%\\_o''clock\\\\%'")
  })
})
