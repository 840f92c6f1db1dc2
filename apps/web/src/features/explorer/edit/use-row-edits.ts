import type { RowEditing } from '@trellis/contract/explorer/row-edits.schemas'
import { useState } from 'react'
import type { LoadedRows } from '../rows.queries.ts'
import { useExplorer, useTableAddress } from '../use-explorer.ts'
import * as pending from './pending-edits.ts'

interface EditedCell {
  text: string | null
  isCut: boolean
  tone: 'added' | 'changed' | 'deleted' | undefined
  blank?: string
}

/** sessionStorage: table values must not stay on a shared computer. */
function readStored(name: string): pending.PendingEdits {
  try {
    const storedPendingEdits = JSON.parse(sessionStorage.getItem(name) ?? 'null') as pending.PendingEdits | null
    return storedPendingEdits ? { ...pending.NO_EDITS, ...storedPendingEdits } : pending.NO_EDITS
  } catch {
    return pending.NO_EDITS
  }
}

export function useRowEdits(data: LoadedRows | undefined, editing: RowEditing | undefined) {
  const { key: home } = useExplorer()
  const { database, schema, table } = useTableAddress()
  const storedAs = `trellis.row-edits ${JSON.stringify([home, database, schema, table])}`
  const [edits, setState] = useState(() => readStored(storedAs))
  const setEdits = (next: pending.PendingEdits) => {
    setState(next)
    if (pending.countEdits(next).all === 0) sessionStorage.removeItem(storedAs)
    else sessionStorage.setItem(storedAs, JSON.stringify(next))
  }
  const columns = data?.columns ?? []
  const { inserts } = edits
  const rowAt = (row: number) => data?.rows[row - inserts.length]
  const getInsertedRow = (row: number) => inserts[row]

  /** Null where a truncated value is part of the key. */
  const findKey = (row: number): string[] | null => {
    const line = rowAt(row)
    const places = editing?.key.map((name) => columns.findIndex((column) => column.name === name)) ?? []
    if (!line || places.length === 0) return null
    const values = places.map((index) => (line.cut.includes(index) ? null : (line.cells[index] ?? null)))
    return values.every((value) => value !== null) ? values : null
  }

  const cellAt = (row: number, column: number): EditedCell => {
    const name = columns[column]?.name ?? ''
    const freshRow = getInsertedRow(row)
    if (freshRow) {
      const isSet = Object.hasOwn(freshRow.values, name)
      const text = freshRow.values[name] ?? null
      return { text, isCut: false, tone: 'added', ...(!isSet && { blank: 'default' }) }
    }
    const line = rowAt(row)
    const text = line?.cells[column] ?? null
    const isCut = line?.cut.includes(column) ?? false
    const key = pending.countEdits(edits).all === 0 ? null : findKey(row)
    if (key === null) return { text, isCut, tone: undefined }
    const id = pending.toRowId(key)
    const changed = edits.updates[id]?.cells[name]
    if (edits.deletes[id]) return { text, isCut, tone: 'deleted' }
    return changed ? { text: changed.value, isCut: false, tone: 'changed' } : { text, isCut, tone: undefined }
  }

  const getVisibleCells = (row: number): Record<string, string | null> => {
    const line = rowAt(row)
    const shown = columns.flatMap(({ name }, index) =>
      line && !line.cut.includes(index) ? [[name, line.cells[index] ?? null]] : [],
    )
    return Object.fromEntries(shown) as Record<string, string | null>
  }

  const withoutKey = (cells: Record<string, string | null>) =>
    Object.fromEntries(Object.entries(cells).filter(([name]) => !editing?.key.includes(name)))

  return {
    edits,
    setEdits,
    rowCount: inserts.length + (data?.rows.length ?? 0),
    cellAt,
    rowAt,
    newAt: getInsertedRow,
    findKey,
    isDeleted: (row: number) => {
      const key = findKey(row)
      return key !== null && edits.deletes[pending.toRowId(key)] !== undefined
    },
    addRow: (values: Record<string, string | null> = {}) =>
      setEdits(pending.addRow(edits, { id: crypto.randomUUID(), values })),
    /** Without generated columns and the primary key. */
    duplicateRow: (row: number) => {
      const source = getInsertedRow(row)?.values ?? getVisibleCells(row)
      const isCopied = (name: string) => {
        const column = editing?.columns.find((knownColumn) => knownColumn.name === name)
        return column !== undefined && !column.is_read_only && !(editing?.key.includes(name) && column.has_default)
      }
      const values = Object.fromEntries(Object.entries(source).filter(([name]) => isCopied(name)))
      setEdits(pending.addRow(edits, { id: crypto.randomUUID(), values }))
    },
    deleteRows: (rows: readonly number[]) => {
      let next = edits
      for (const row of rows) {
        const freshRow = getInsertedRow(row)
        const key = findKey(row)
        if (freshRow) next = pending.dropNewRow(next, freshRow.id)
        else if (key) next = pending.deleteRow(next, { key, old: withoutKey(getVisibleCells(row)) })
      }
      setEdits(next)
    },
    keepRow: (row: number) => {
      const key = findKey(row)
      if (key) setEdits(pending.omitDeletion(edits, key))
    },
    discard: () => setEdits(pending.NO_EDITS),
  }
}

export type RowEdits = ReturnType<typeof useRowEdits>
