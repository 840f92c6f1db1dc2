import { WorkspaceDbError } from '../../errors.ts'
import type { Session } from '../../session.ts'
import { badValue } from '../filters.ts'
import { buildEditStatement, buildReadStatement, listReturned } from './edit-statements.ts'
import type { EditableTable } from './editable-table.ts'
import { explainEditFault } from './explain-fault.ts'
import type { CellConflict, RowConflict, RowEdit } from './row-edit.ts'

type ApplyOutcome =
  | { readonly conflicts: readonly RowConflict[] }
  | { readonly conflicts: readonly []; readonly inverse: readonly RowEdit[] }

const ORDER = { delete: 0, update: 1, insert: 2 } as const

/** All or nothing; rolled back if a row was changed meanwhile. */
export async function applyEdits(
  session: Session,
  table: EditableTable,
  edits: readonly RowEdit[],
): Promise<ApplyOutcome> {
  if (table.problem !== null) throw badValue(table.problem)
  await session.query({ text: 'begin' })
  let isOpen = true
  const rollback = async () => {
    isOpen = false
    await session.query({ text: 'rollback' })
  }
  try {
    // Trigger functions find the same objects as in a worksheet.
    const path = session.place === 'workspace' ? 'pg_catalog, data' : 'default'
    await session.query({ text: `set local search_path to ${path}` })
    const conflicts: RowConflict[] = []
    const inverse: RowEdit[] = []
    for (const [at, edit] of inLockOrder(edits)) {
      const { text, values } = buildEditStatement(table, edit)
      const result = await session.query({ text, values }).catch(async (fault: unknown) => {
        await rollback()
        throw await explainEditFault(session, table, { edit, at, fault })
      })
      const [row] = result.rows
      if (row) inverse.unshift(invertEdit(table, edit, row))
      else conflicts.push(await readConflict(session, table, { edit, at }))
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
function inLockOrder(edits: readonly RowEdit[]): [number, RowEdit][] {
  const formatKey = (edit: RowEdit) => (edit.kind === 'insert' ? '' : JSON.stringify(edit.key))
  return [...edits.entries()].toSorted(([a, left], [b, right]) => {
    const byKind = ORDER[left.kind] - ORDER[right.kind]
    if (byKind !== 0) return byKind
    return formatKey(left) < formatKey(right) ? -1 : formatKey(left) > formatKey(right) ? 1 : a - b
  })
}

function invertEdit(table: EditableTable, edit: RowEdit, row: readonly (string | null)[]): RowEdit {
  const returned = listReturned(table, edit)
  const getValue = (name: string) => row[returned.findIndex((column) => column.name === name)] ?? null
  const cells = returned.map(({ name }, at) => ({ column: name, value: row[at] ?? null }))
  const key = table.key.map(({ name }) => getValue(name) ?? '')
  switch (edit.kind) {
    case 'insert':
      return { kind: 'delete', key, old: cells }
    case 'delete':
      return { kind: 'insert', values: cells }
    case 'update': {
      const after = row.slice(table.key.length)
      const changes = edit.changes.map(({ column, old }, at) => ({ column, value: old, old: after[at] ?? null }))
      return { kind: 'update', key, changes }
    }
  }
}

async function readConflict(
  session: Session,
  table: EditableTable,
  { edit, at }: { edit: RowEdit; at: number },
): Promise<RowConflict> {
  if (edit.kind === 'insert') throw rowUnchangedError()
  const seen =
    edit.kind === 'update'
      ? edit.changes.map(({ column, old, value }) => ({ column, old, mine: value }))
      : edit.old.map(({ column, value }) => ({ column, old: value, mine: null }))
  const { text, values } = buildReadStatement(
    table,
    edit.key,
    seen.map(({ column }) => column),
  )
  const { rows } = await session.query({ text, values })
  const [row] = rows
  if (!row) return { edit: at, reason: 'deleted', cells: [] }
  const cells = seen
    .map((cell, index): CellConflict => ({ ...cell, theirs: row[index] ?? null }))
    .filter(({ old, theirs }) => old !== theirs)
  if (cells.length === 0) throw rowUnchangedError()
  return { edit: at, reason: 'changed', cells }
}

/** A trigger may skip a row silently. */
const rowUnchangedError = () =>
  new WorkspaceDbError({
    code: 'statement_failed',
    message: 'The database left a row unchanged, most likely because of a trigger or a rule. Nothing was changed.',
  })
