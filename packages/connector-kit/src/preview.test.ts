import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Field, Value } from './batch.ts'
import { toColumnNames, readPreview, toPreview } from './preview.ts'

const field = (name: string, type: Field['type']): Field => ({ name, type, isNullable: true })
const shape = (fields: readonly Field[], key: readonly string[] = [], cursor: string | null = null) => ({
  fields,
  key,
  cursor,
})

test('statistics, keys and cursors of a few rows', () => {
  const fields = [
    field('id', 'integer'),
    field('amount', 'decimal'),
    field('updated_at', 'timestamptz'),
    field('note', 'text'),
  ]
  const rows: Value[][] = [
    [2, '10.5', '2026-11-02T00:00:00Z', null],
    [10, '9', '2026-11-01T00:00:00Z', 'x'],
    [3, '9', '2026-11-03T00:00:00Z', 'x'],
  ]
  const preview = toPreview(shape(fields), { rows, isCut: false })
  expect(preview.columns[0]).toMatchObject({ smallest: '2', largest: '10', distinct: 3, nulls: 0, can_be_key: true })
  expect(preview.columns[1]).toMatchObject({ smallest: '9', largest: '10.5', can_be_key: false, can_be_cursor: false })
  expect(preview.columns[3]).toMatchObject({ nulls: 1, distinct: 1, can_be_key: false })
  expect(preview.candidate_keys[0]).toEqual(['id'])
  expect(preview.candidate_cursors).toEqual(['updated_at', 'id'])
  expect(preview.rows[0]).toEqual(['2', '10.5', '2026-11-02T00:00:00Z', null])
  expect(preview.data_model).toMatchObject({ fields: { id: 'integer' }, column_mapping: { updated_at: 'updated_at' } })
})

test('several columns together where none suffices, the fewest', () => {
  const fields = [
    field('day', 'date'),
    field('campaign_id', 'integer'),
    field('device', 'text'),
    field('clicks', 'integer'),
  ]
  const rows = ['2026-11-01', '2026-11-02'].flatMap((day) =>
    [1, 2].flatMap((campaign) => ['phone', 'desk'].map((device): Value[] => [day, campaign, device, 5])),
  )
  const preview = toPreview(shape(fields), { rows, isCut: false })
  expect(preview.candidate_keys).toEqual([['day', 'campaign_id', 'device']])
  const doubled = toPreview(shape(fields), { rows: [...rows, ...rows], isCut: false })
  expect(doubled.candidate_keys).toEqual([])
})

test('a candidate key tells all rows apart, and none of its parts does', () => {
  const row = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(2), fc.boolean())
  const fields = [field('a', 'integer'), field('b', 'text'), field('c', 'integer'), field('d', 'boolean')]
  fc.assert(
    fc.property(fc.array(row, { maxLength: 14 }), (rows) => {
      const places = (key: readonly string[]) =>
        key.map((name) => fields.findIndex((candidate) => candidate.name === name))
      const isUnique = (key: readonly string[]) =>
        new Set(rows.map((other) => JSON.stringify(places(key).map((at) => other[at])))).size === rows.length
      for (const key of toPreview(shape(fields), { rows, isCut: false }).candidate_keys) {
        expect(isUnique(key)).toBe(true)
        for (const name of key.length > 1 ? key : []) expect(isUnique(key.filter((item) => item !== name))).toBe(false)
      }
    }),
  )
})

test('a look ends the read and says that it was cut', async () => {
  let hasEnded = false
  async function* batches() {
    try {
      for (let id = 0; ; id += 2) yield { kind: 'rows' as const, rows: [[id], [id + 1]] }
    } finally {
      hasEnded = true
    }
  }
  const preview = await readPreview({ ...shape([field('id', 'integer')]), batches: batches() }, 5)
  expect(preview.rows).toHaveLength(5)
  expect(preview.is_cut).toBe(true)
  expect(hasEnded).toBe(true)
})

test('lines of COPY text are looked at too', async () => {
  async function* batches() {
    yield { kind: 'copy' as const, bytes: new TextEncoder().encode('1\t\\N\n2\tx\n'), rowCount: 2 }
  }
  const fields = [field('id', 'integer'), field('note', 'text')]
  const preview = await readPreview({ ...shape(fields), batches: batches() }, 5)
  expect(preview.rows).toEqual([
    ['1', null],
    ['2', 'x'],
  ])
  expect(preview.is_cut).toBe(false)
})

test('names of columns need no quoting and come once each', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { maxLength: 20 }), (names) => {
      const made = toColumnNames(names).map(([, name]) => name)
      expect(new Set(made).size).toBe(names.length)
      for (const name of made) expect(name).toMatch(/^[a-z][a-z0-9_]{0,62}$/)
    }),
  )
  expect(toColumnNames(['createdAt', 'Created at', '2nd'])).toEqual([
    ['createdAt', 'created_at'],
    ['Created at', 'created_at_2'],
    ['2nd', 'c_2nd'],
  ])
})
