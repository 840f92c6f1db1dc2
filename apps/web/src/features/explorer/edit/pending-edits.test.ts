import { expect, test } from 'vitest'
import * as pending from './pending-edits.ts'

const { NO_EDITS } = pending
const change = (value: string | null, column = 'name') => ({ key: ['1'], column, old: 'Ada', value })

test('a value that is the old one again is no change', () => {
  const changedPendingEdits = pending.setCell(NO_EDITS, change('Ben'))
  expect(pending.countEdits(changedPendingEdits)).toMatchObject({ changed: 1, all: 1 })
  const again = pending.setCell(changedPendingEdits, { ...change('Ada'), old: 'Ben' })
  expect(again).toEqual(NO_EDITS)
})

test('NULL and the empty text are different values', () => {
  const edits = pending.setCell(pending.setCell(NO_EDITS, change('')), change(null, 'note'))
  expect(pending.listRowEdits(edits)[0]?.edit).toEqual({
    kind: 'update',
    key: ['1'],
    changes: [
      { column: 'name', old: 'Ada', value: '' },
      { column: 'note', old: 'Ada', value: null },
    ],
  })
})

test('a row that is deleted loses its changes, and keeping it brings none back', () => {
  const deletedPendingEdits = pending.deleteRow(pending.setCell(NO_EDITS, change('Ben')), {
    key: ['1'],
    old: { name: 'Ada' },
  })
  expect(pending.describeEdits(deletedPendingEdits)).toBe('1 row: 1 deleted')
  expect(pending.omitDeletion(deletedPendingEdits, ['1'])).toEqual(NO_EDITS)
})

test('new rows take values, defaults and leave again', () => {
  let edits = pending.addRow(NO_EDITS, { id: 'a', values: { name: 'Ada' } })
  edits = pending.setNewCell(edits, { id: 'a', column: 'note', value: null })
  edits = pending.setNewCell(edits, { id: 'a', column: 'name', value: undefined })
  expect(pending.listRowEdits(edits)[0]).toEqual({
    edit: { kind: 'insert', values: [{ column: 'note', value: null }] },
    target: { kind: 'insert', id: 'a', number: 1 },
  })
  expect(pending.nameTarget(pending.listRowEdits(edits)[0]?.target)).toBe('New row 1')
  expect(pending.dropNewRow(edits, 'a')).toEqual(NO_EDITS)
})

test('of a conflict mine overwrites what is there now, theirs drops my change', () => {
  const edits = pending.setCell(NO_EDITS, change('Ben'))
  const cells = [{ column: 'name', old: 'Ada', mine: 'Ben', theirs: 'Cleo' }]
  const conflict = { edit: 0, reason: 'changed' as const, cells }
  const target = { kind: 'update' as const, key: ['1'] }
  const mine = pending.resolveConflict(edits, { target, conflict, keep: 'mine' })
  expect(mine.updates['["1"]']?.cells).toEqual({ name: { old: 'Cleo', value: 'Ben' } })
  expect(pending.resolveConflict(edits, { target, conflict, keep: 'theirs' })).toEqual(NO_EDITS)
  const gone = { edit: 0, reason: 'deleted' as const, cells: [] }
  expect(pending.resolveConflict(edits, { target, conflict: gone, keep: 'mine' })).toEqual(NO_EDITS)
})

test('a deletion that conflicts goes on with what is there now', () => {
  const edits = pending.deleteRow(NO_EDITS, { key: ['1'], old: { name: 'Ada', note: null } })
  const conflict = {
    edit: 0,
    reason: 'changed' as const,
    cells: [{ column: 'name', old: 'Ada', mine: null, theirs: 'Cleo' }],
  }
  const target = { kind: 'delete' as const, key: ['1'] }
  const mine = pending.resolveConflict(edits, { target, conflict, keep: 'mine' })
  expect(mine.deletes['["1"]']?.old).toEqual({ name: 'Cleo', note: null })
})
