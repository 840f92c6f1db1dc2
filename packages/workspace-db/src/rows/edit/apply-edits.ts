import { WorkspaceDbError } from '../../errors.ts'
import type { Session } from '../../session.ts'
import { badValueError } from '../filters.ts'
import { buildEditStatement, buildReadStatement, listReturnedColumns } from './edit-statements.ts'
import type { EditableTable } from './editable-table.ts'
import { explainEditFault } from './explain-fault.ts'
import type { CellConflict, RowConflict, RowEdit } from './row-edit.ts'

type ApplyOutcome =
  | { readonly conflicts: readonly RowConflict[] }
  | { readonly conflicts: readonly []; readonly inverse: readonly RowEdit[] }

const KIND_ORDER = { delete: 0, update: 1, insert: 2 } as const

/** All or nothing; rolled back if a row was changed meanwhile. */
export async function applyEdits(
  session: Session,
  table: EditableTable,
  edits: readonly RowEdit[],
): Promise<ApplyOutcome> {
  if (table.problem !== null) throw badValueError(table.problem)
  await session.query({ text: 'begin' })
  let isOpen = true
  const rollback = async () => {
    isOpen = false
    await session.query({ text: 'rollback' })
  }
  try {
    // Trigger functions find the same objects as in a worksheet.
    const searchPath = session.databaseKind === 'workspace' ? 'pg_catalog, data' : 'default'
    await session.query({ text: `set local search_path to ${searchPath}` })
    const conflicts: RowConflict[] = []
    const inverse: RowEdit[] = []
    for (const [editIndex, edit] of sortInLockOrder(edits)) {
      const { text, values } = buildEditStatement(table, edit)
      const result = await session.query({ text, values }).catch(async (fault: unknown) => {
        await rollback()
        throw await explainEditFault(session, table, { edit, at: editIndex, fault })
      })
      const [row] = result.rows
      if (row) inverse.unshift(invertEdit(table, edit, row))
      else conflicts.push(await readConflict(session, table, { edit, at: editIndex }))
    }
    if (conflicts.length > 0) {
      await rollback()
      return { conflicts: conflicts.toSorted((a, b) => a.edit - b.edit) }
    }
    await session.query({ text: 'commit' })
    return { conflicts: [], inverse }
  } catch (error) {
    // Report the original error.
    if (isOpen) await session.query({ text: 'rollback' }).catch(() => undefined)
    throw error
  }
}

/** Deletes first, to free keys; fixed lock order avoids a deadlock. */
function sortInLockOrder(edits: readonly RowEdit[]): [number, RowEdit][] {
  const formatKey = (edit: RowEdit) => (edit.kind === 'insert' ? '' : JSON.stringify(edit.key))
  return [...edits.entries()].toSorted(([a, left], [b, right]) => {
    const byKind = KIND_ORDER[left.kind] - KIND_ORDER[right.kind]
    if (byKind !== 0) return byKind
    return formatKey(left) < formatKey(right) ? -1 : formatKey(left) > formatKey(right) ? 1 : a - b
  })
}

function invertEdit(table: EditableTable, edit: RowEdit, row: readonly (string | null)[]): RowEdit {
  const returnedColumns = listReturnedColumns(table, edit)
  const getValue = (name: string) => row[returnedColumns.findIndex((column) => column.name === name)] ?? null
  const returnedCells = returnedColumns.map(({ name }, editIndex) => ({ column: name, value: row[editIndex] ?? null }))
  const key = table.key.map(({ name }) => getValue(name) ?? '')
  switch (edit.kind) {
    case 'insert':
      return { kind: 'delete', key, old: returnedCells }
    case 'delete':
      return { kind: 'insert', values: returnedCells }
    case 'update': {
      const newValues = row.slice(table.key.length)
      const changes = edit.changes.map(({ column, old }, editIndex) => ({
        column,
        value: old,
        old: newValues[editIndex] ?? null,
      }))
      return { kind: 'update', key, changes }
    }
  }
}

async function readConflict(
  session: Session,
  table: EditableTable,
  { edit, at: editIndex }: { edit: RowEdit; at: number },
): Promise<RowConflict> {
  if (edit.kind === 'insert') throw rowUnchangedError()
  const expectedCells =
    edit.kind === 'update'
      ? edit.changes.map(({ column, old, value }) => ({ column, old, mine: value }))
      : edit.old.map(({ column, value }) => ({ column, old: value, mine: null }))
  const { text, values } = buildReadStatement(
    table,
    edit.key,
    expectedCells.map(({ column }) => column),
  )
  const { rows } = await session.query({ text, values })
  const [row] = rows
  if (!row) return { edit: editIndex, reason: 'deleted', cells: [] }
  const conflictingCells = expectedCells
    .map((cell, index): CellConflict => ({ ...cell, theirs: row[index] ?? null }))
    .filter(({ old, theirs }) => old !== theirs)
  if (conflictingCells.length === 0) throw rowUnchangedError()
  return { edit: editIndex, reason: 'changed', cells: conflictingCells }
}

/** A trigger may skip a row silently. */
const rowUnchangedError = () =>
  new WorkspaceDbError({
    code: 'statement_failed',
    message: 'The database left a row unchanged, most likely because of a trigger or a rule. Nothing was changed.',
  })
