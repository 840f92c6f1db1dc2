import { expect, test } from 'vitest'
import { listSettingDifferences } from './setting-differences.ts'
import { describePath } from './setting-labels.ts'

test('every setting that differs, in words', () => {
  const subtask = (name: string, table_name: string) => ({ name, is_incremental: false, write: { table_name } })
  const before = { attempts: 3, subtasks: [subtask('Orders', 'orders')], weekdays: ['monday'] }
  const after = { attempts: 5, subtasks: [subtask('Spend', 'spend'), subtask('Orders', 'sales')], weekdays: ['monday'] }
  expect(listSettingDifferences(before, after)).toEqual([
    { path: 'attempts', label: 'Attempts', before: '3', after: '5', isCode: false },
    {
      path: 'subtasks.Orders.write.table_name',
      label: 'Subtask Orders › Write › Table',
      before: 'orders',
      after: 'sales',
      isCode: false,
    },
    { path: 'subtasks.Spend.name', label: 'Subtask Spend › Name', before: null, after: 'Spend', isCode: false },
    {
      path: 'subtasks.Spend.is_incremental',
      label: 'Subtask Spend › Reads only what is new',
      before: null,
      after: 'no',
      isCode: false,
    },
    {
      path: 'subtasks.Spend.write.table_name',
      label: 'Subtask Spend › Write › Table',
      before: null,
      after: 'spend',
      isCode: false,
    },
  ])
})

test('the order of keys and what is worked out are no differences', () => {
  const one = { trigger: { isFormaComplete: true, actions: { a: { order: 0, action: 'Schedule' } } } }
  const other = { trigger: { actions: { a: { action: 'Schedule', order: 1 } }, isFormaComplete: false } }
  expect(listSettingDifferences(one, other)).toEqual([])
})

test('texts of several lines are code', () => {
  expect(listSettingDifferences({ code: 'select 1' }, { code: 'select\n2' })).toMatchObject([{ isCode: true }])
})

test('paths in words', () => {
  expect(describePath('subtasks.0.write.table_name')).toBe('Subtask 1 › Write › Table')
  expect(describePath('trigger.actions.action-1.cronExpression')).toBe('Trigger › Action Action-1 › Cron expression')
})
