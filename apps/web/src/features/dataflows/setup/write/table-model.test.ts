import type { SourceDataModel } from '@trellis/contract/integrations/integrations.schemas'
import { expect, test } from 'vitest'
import { findColumnProblems, toDataModel, removeField, setColumn, setIndex, setKey, mergeModel } from './table-model.ts'

const found: SourceDataModel = {
  fields: { id: 'integer', name: 'text', at: 'timestamptz' },
  column_mapping: {},
  primary_keys: ['id'],
  indexes: {},
}

test('what was settled holds, what is new at the source comes along, what is lost stays to be seen', () => {
  const settled: SourceDataModel = {
    fields: { id: 'text', old: 'text' },
    column_mapping: { id: 'order_id' },
    primary_keys: ['id'],
    indexes: { old: 'btree' },
  }
  const model = mergeModel(found, settled)
  expect(model.fields).toEqual({ id: 'text', old: 'text', name: 'text', at: 'timestamptz' })
  expect(model.column_mapping).toEqual({ id: 'order_id' })
  expect(removeField(model, 'old')).toMatchObject({ indexes: {}, fields: { id: 'text' } })
})

test('keys stand in the order of the fields and need no index of their own', () => {
  const model = setKey(setIndex({ ...found, primary_keys: ['name'] }, 'id', 'btree'), 'id', true)
  expect(model).toMatchObject({ primary_keys: ['id', 'name'], indexes: {} })
  expect(setKey(model, 'id', false).primary_keys).toEqual(['name'])
})

test('a column called as its field is not mapped', () => {
  const renamed = setColumn(found, 'name', 'customer')
  expect(renamed.column_mapping).toEqual({ name: 'customer' })
  expect(setColumn(renamed, 'name', 'name').column_mapping).toEqual({})
})

test('column names are judged as the database would', () => {
  const model = setColumn(setColumn(found, 'name', 'id'), 'at', '')
  expect(findColumnProblems(model)).toEqual({
    id: 'Another column has this name',
    name: 'Another column has this name',
    at: 'Field required',
  })
})

test('types without a word of ours are kept as text', () => {
  expect(
    toDataModel([
      { name: 'a', type: 'integer' },
      { name: 'b', type: 'point' },
    ]).fields,
  ).toEqual({
    a: 'integer',
    b: 'text',
  })
})
