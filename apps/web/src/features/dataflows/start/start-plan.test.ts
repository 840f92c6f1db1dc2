import type { Forma, FormaElement } from '@trellis/contract/formas/forma'
import { isTriggerComplete } from '@trellis/contract/dataflows/triggers'
import { expect, test } from 'vitest'
import {
  describeWhen,
  findChooser,
  listRenamed,
  toFileName,
  toSubtasks,
  toTrigger,
  withChoice,
  withoutElement,
} from './start-plan.ts'

const kind: FormaElement = {
  reference: 'kind',
  order: 1,
  type: 'select',
  data_type: 'str',
  label: 'What to read',
  default: 'table',
  properties: { options: [{ value: 'table', label: 'A table' }] },
}
const table: FormaElement = {
  reference: 'table',
  order: 2,
  type: 'table_picker',
  data_type: 'str',
  label: 'Table',
  shown_when: { section: 'query', element: 'kind', values: ['table'] },
  properties: { picks: 'table' },
}
const stream: FormaElement = { ...kind, reference: 'stream', default: undefined }
const toForma = (...elements: FormaElement[]): Forma => ({
  forma_trellis_code: 'query',
  title: 'Query',
  sections: [{ reference: 'query', order: 1, title: 'Query', is_required: true, elements }],
})

test('tables are offered as choices, as long as tables are read', () => {
  const forma = toForma(kind, table)
  const chooser = findChooser(forma, { query: { kind: 'table' } })
  expect(chooser?.element.reference).toBe('table')
  expect(findChooser(forma, { query: { kind: 'sql' } })).toBeNull()
  expect(chooser && withoutElement(forma, chooser).sections[0]?.elements).toEqual([kind])
  expect(chooser && withChoice({ query: { kind: 'table' } }, chooser, 1)).toEqual({
    query: { kind: 'table', table: 1 },
  })
})

test('a select is a list of tables only without a default', () => {
  expect(findChooser(toForma(stream), {})?.element.reference).toBe('stream')
  expect(findChooser(toForma(kind), {})).toBeNull()
})

const toTables = (names: readonly string[]) => names.map((name) => ({ name, query: {} }))

test('every chosen table has a table of its own', () => {
  const createdSubtasks = toSubtasks(toTables(['Orders', 'orders', 'Ad spend']), [])
  expect(createdSubtasks.map(({ write }) => write?.table_name)).toEqual(['orders', 'orders_2', 'ad_spend'])
  expect(createdSubtasks.every(({ write }) => write?.strategy === 'Replace')).toBe(true)
})

test('a table that exists already is not replaced: another name is taken, and told', () => {
  const tables = toTables(['Orders', 'Ad spend', 'x'.repeat(70)])
  const createdSubtasks = toSubtasks(tables, ['orders', 'orders_2', 'x'.repeat(60)])
  expect(createdSubtasks.map(({ write }) => write?.table_name)).toEqual(['orders_3', 'ad_spend', `${'x'.repeat(54)}_2`])
  expect(listRenamed(tables, createdSubtasks)[0]).toBe('data.orders is taken: Orders goes into data.orders_3.')
  expect(listRenamed(tables, createdSubtasks)).toHaveLength(2)
})

test('every pace but by hand is a complete schedule', () => {
  const when = { hour: 6, zone: 'Europe/Berlin' }
  for (const pace of ['hourly', 'daily', 'weekdays'] as const) {
    const trigger = toTrigger({ ...when, pace }, 'a')
    expect(trigger.isFormaComplete && isTriggerComplete(trigger)).toBe(true)
    expect(Object.keys(trigger.actions)).toEqual(['a'])
  }
  expect(toTrigger({ ...when, pace: 'manual' }, 'a').eventEvaluationType).toBe('NO_TRIGGER')
  expect(describeWhen({ ...when, pace: 'weekdays' })).toBe('Runs Monday to Friday at 06:00, Europe/Berlin')
})

test('a file gives its name to its table', () => {
  expect(toFileName('https://example.com/exports/orders.csv.gz?token=1')).toBe('orders')
  expect(toFileName('')).toBe('')
})
