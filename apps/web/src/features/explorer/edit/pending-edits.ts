import type { RowConflict, RowEdit } from '@trellis/contract/explorer/row-edits.schemas'

type Value = string | null

interface ChangedRow {
  readonly key: readonly string[]
  readonly cells: Readonly<Record<string, { readonly old: Value; readonly value: Value }>>
}
interface DeletedRow {
  readonly key: readonly string[]
  readonly old: Readonly<Record<string, Value>>
}
interface NewRow {
  readonly id: string
  readonly values: Readonly<Record<string, Value>>
}

/** Existing rows are identified by primary key. */
export interface PendingEdits {
  readonly inserts: readonly NewRow[]
  readonly updates: Readonly<Record<string, ChangedRow>>
  readonly deletes: Readonly<Record<string, DeletedRow>>
}

export const NO_EDITS: PendingEdits = { inserts: [], updates: {}, deletes: {} }

export const toRowId = (key: readonly string[]): string => JSON.stringify(key)

function without<T>(record: Readonly<Record<string, T>>, name: string): Record<string, T> {
  const { [name]: _, ...rest } = record
  return rest
}

interface CellEdit {
  readonly key: readonly string[]
  readonly column: string
  readonly old: Value
  readonly value: Value
}

/** Setting the old value removes the change. */
export function setCell(edits: PendingEdits, { key, column, old, value }: CellEdit): PendingEdits {
  const id = toRowId(key)
  const cells = edits.updates[id]?.cells ?? {}
  const first = cells[column]?.old ?? old
  const next = value === first ? without(cells, column) : { ...cells, [column]: { old: first, value } }
  const updates =
    Object.keys(next).length === 0 ? without(edits.updates, id) : { ...edits.updates, [id]: { key, cells: next } }
  return { ...edits, updates }
}

export function deleteRow(edits: PendingEdits, row: DeletedRow): PendingEdits {
  const id = toRowId(row.key)
  return { ...edits, updates: without(edits.updates, id), deletes: { ...edits.deletes, [id]: row } }
}

export function omitDeletion(edits: PendingEdits, key: readonly string[]): PendingEdits {
  const id = toRowId(key)
  return { ...edits, updates: without(edits.updates, id), deletes: without(edits.deletes, id) }
}

export function addRow(edits: PendingEdits, row: NewRow): PendingEdits {
  return { ...edits, inserts: [row, ...edits.inserts] }
}

/** `undefined` restores the column's default. */
export function setNewCell(
  edits: PendingEdits,
  { id, column, value }: { id: string; column: string; value: Value | undefined },
): PendingEdits {
  const inserts = edits.inserts.map((row) =>
    row.id !== id
      ? row
      : { id, values: value === undefined ? without(row.values, column) : { ...row.values, [column]: value } },
  )
  return { ...edits, inserts }
}

export function dropNewRow(edits: PendingEdits, id: string): PendingEdits {
  return { ...edits, inserts: edits.inserts.filter((row) => row.id !== id) }
}

export function countEdits({ inserts, updates, deletes }: PendingEdits) {
  const counts = { added: inserts.length, changed: Object.keys(updates).length, deleted: Object.keys(deletes).length }
  return { ...counts, all: counts.added + counts.changed + counts.deleted }
}

/** `3 changes: 1 new row, 2 changed`. */
export function describeEdits(edits: PendingEdits): string {
  const { added, changed, deleted, all } = countEdits(edits)
  const parts = [
    ...(added > 0 ? [`${added} new`] : []),
    ...(changed > 0 ? [`${changed} changed`] : []),
    ...(deleted > 0 ? [`${deleted} deleted`] : []),
  ]
  return `${all} ${all === 1 ? 'row' : 'rows'}: ${parts.join(', ')}`
}

export type EditTarget =
  | { readonly kind: 'insert'; readonly id: string; readonly number: number }
  | { readonly kind: 'update' | 'delete'; readonly key: readonly string[] }

export function listRowEdits({ inserts, updates, deletes }: PendingEdits): { edit: RowEdit; target: EditTarget }[] {
  const cells = (values: Readonly<Record<string, Value>>) =>
    Object.entries(values).map(([column, value]) => ({ column, value }))
  return [
    ...inserts.map(({ id, values }, index) => ({
      edit: { kind: 'insert' as const, values: cells(values) },
      target: { kind: 'insert' as const, id, number: index + 1 },
    })),
    ...Object.values(updates).map(({ key, cells }) => ({
      edit: {
        kind: 'update' as const,
        key: [...key],
        changes: Object.entries(cells).map(([column, cell]) => ({ column, ...cell })),
      },
      target: { kind: 'update' as const, key },
    })),
    ...Object.values(deletes).map(({ key, old }) => ({
      edit: { kind: 'delete' as const, key: [...key], old: cells(old) },
      target: { kind: 'delete' as const, key },
    })),
  ]
}

/** `Row 17`, `Row a / 3`, `New row 2`. */
export function nameTarget(target: EditTarget | undefined): string {
  if (!target) return 'A row'
  return target.kind === 'insert' ? `New row ${target.number}` : `Row ${target.key.join(' / ')}`
}

/** `mine` overwrites the current value; `theirs` drops the change. */
export function resolveConflict(
  edits: PendingEdits,
  { target, conflict, keep }: { target: EditTarget; conflict: RowConflict; keep: 'mine' | 'theirs' },
): PendingEdits {
  if (target.kind === 'insert') return edits
  const id = toRowId(target.key)
  if (conflict.reason === 'deleted') return omitDeletion(edits, target.key)
  const deletedRow = edits.deletes[id]
  if (deletedRow) {
    if (keep === 'theirs') return omitDeletion(edits, target.key)
    const old = {
      ...deletedRow.old,
      ...Object.fromEntries(conflict.cells.map(({ column, theirs }) => [column, theirs])),
    }
    return { ...edits, deletes: { ...edits.deletes, [id]: { ...deletedRow, old } } }
  }
  const changedRow = edits.updates[id]
  if (!changedRow) return edits
  let cells = changedRow.cells
  for (const { column, theirs, mine } of conflict.cells) {
    const isSame = mine === theirs
    cells = keep === 'theirs' || isSame ? without(cells, column) : { ...cells, [column]: { old: theirs, value: mine } }
  }
  const updates =
    Object.keys(cells).length === 0 ? without(edits.updates, id) : { ...edits.updates, [id]: { ...changedRow, cells } }
  return { ...edits, updates }
}
