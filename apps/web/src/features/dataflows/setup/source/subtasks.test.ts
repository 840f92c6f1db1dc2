import { toTableName, writeInto } from '@trellis/contract/dataflows/start-settings'
import type { Forma } from '@trellis/contract/formas/forma'
import type { Subtask } from '@trellis/contract/dataflows/task-blocks.schemas'
import { expect, test } from 'vitest'
import {
  findNameProblem,
  describeSource,
  withCopy,
  withMoved,
  withName,
  withSuggestedName,
  withNewSubtask,
  withoutSubtask,
} from './subtasks.ts'

const subtask = (name: string): Subtask => ({
  name,
  query: {},
  is_incremental: false,
  write: writeInto(toTableName(name)),
})
const names = (subtasks: readonly Subtask[]) => subtasks.map(({ name }) => name)
const two = [subtask('Orders'), subtask('Spend')]

test('subtasks are added, copied, moved and removed', () => {
  expect(names(withNewSubtask(two, {}))).toEqual(['Orders', 'Spend', 'Subtask 3'])
  const copied = withCopy(two, 0)
  expect(names(copied)).toEqual(['Orders', 'Orders 2', 'Spend'])
  expect(copied[1]?.write?.table_name).toBe('orders_2')
  expect(names(withMoved(two, 0, 1))).toEqual(['Spend', 'Orders'])
  expect(withMoved(two, 0, -1)).toEqual(two)
  expect(names(withoutSubtask(two, 0))).toEqual(['Spend'])
})

test('a table called after its subtask follows the name, another one does not', () => {
  expect(withName(two, 0, 'Daily orders')[0]?.write?.table_name).toBe('daily_orders')
  const own = [{ ...subtask('Orders'), write: writeInto('sales') }]
  expect(withName(own, 0, 'Daily orders')[0]?.write?.table_name).toBe('sales')
})

test('a subtask nobody named is called after what it reads', () => {
  const read = (to: string, from?: string) => ({ from, to })
  expect(names(withSuggestedName([subtask('Subtask 1')], 0, read('Orders')))).toEqual(['Orders'])
  const three = withSuggestedName([...two, subtask('Subtask 3')], 2, read('Orders'))
  expect(names(three)).toEqual(['Orders', 'Spend', 'Orders 2'])
  expect(names(withSuggestedName(three, 2, read('Orders', 'Orders')))).toEqual(['Orders', 'Spend', 'Orders 2'])
  expect(names(withSuggestedName(two, 0, read('Customers', 'Refunds')))).toEqual(['Orders', 'Spend'])
})

test('the name and its table follow another choice, until a person gives it a name', () => {
  const [first] = withSuggestedName([subtask('Orders')], 0, { from: 'Orders', to: 'Customers' })
  expect(first).toMatchObject({ name: 'Customers', write: { table_name: 'customers' } })
  expect(names(withSuggestedName([subtask('Orders 2')], 0, { from: 'Orders', to: 'Customers' }))).toEqual(['Customers'])
  const named = withName([subtask('Orders')], 0, 'Orders of the shop')
  expect(names(withSuggestedName(named, 0, { from: 'Orders', to: 'Customers' }))).toEqual(['Orders of the shop'])
})

test('names are needed once and only once', () => {
  expect(findNameProblem([subtask('')], 0)).toBe('Field required')
  expect(findNameProblem([subtask('Orders'), subtask('Orders ')], 1)).toBe('Another subtask has this name')
  expect(findNameProblem(two, 1)).toBeUndefined()
})

test('names of tables', () => {
  expect(toTableName('Umsätze 2024 (täglich)')).toBe('umsatze_2024_taglich')
  expect(toTableName('2024')).toBe('t_2024')
  expect(toTableName('…')).toBe('new_table')
})

test('what is read is the option of the first list, unless it is only detected', () => {
  const options = [
    { value: 'auto', label: 'Detect from the file' },
    { value: 'csv', label: 'CSV' },
  ]
  const forma: Forma = {
    forma_trellis_code: 'files',
    title: 'Files',
    sections: [
      {
        reference: 'query',
        order: 1,
        title: 'Query',
        is_required: true,
        elements: [
          { reference: 'format', order: 1, type: 'select', data_type: 'str', label: 'Format', properties: { options } },
        ],
      },
    ],
  }
  expect(describeSource(forma, { query: { format: 'csv' } })).toBe('CSV')
  expect(describeSource(forma, { query: { format: 'auto' } })).toBeUndefined()
})
