import type { EditableColumn, RowEditing } from '@trellis/contract/explorer/row-edits.schemas'
import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Checkbox } from '../../../ui/forms/Choices.tsx'
import { SidePanel } from '../../../ui/overlays/SidePanel.tsx'
import { formatJsonText } from '../preview/readable.ts'
import { useCell, type LoadedRows } from '../rows.queries.ts'
import { useExplorer, useTableAddress } from '../use-explorer.ts'
import styles from './edit.module.css'
import { setCell, setNewCell } from './pending-edits.ts'
import type { RowEdits } from './use-row-edits.ts'
import { ValueInput } from './ValueInput.tsx'
import { findValueProblem } from './value-rules.ts'

interface CellEditorProps {
  data: LoadedRows
  editing: RowEditing
  rows: RowEdits
  cell: { row: number; column: number }
  onClose: () => void
}

/** A truncated value is loaded in full before it can be edited. */
export function CellEditor({ data, editing, rows, cell, onClose }: CellEditorProps) {
  const shown = data.columns[cell.column]
  const column = editing.columns.find(({ name }) => name === shown?.name)
  const { isCut, text } = rows.cellAt(cell.row, cell.column)
  if (!column) return null
  const reason = findReason({ rows, row: cell.row, column })
  const shared = { column, rows, row: cell.row, reason, onClose }
  return (
    <SidePanel title={column.name} onClose={onClose}>
      {isCut ? (
        <CutCell {...shared} />
      ) : (
        <Editor {...shared} value={text} stored={rows.rowAt(cell.row)?.cells[cell.column] ?? null} />
      )}
    </SidePanel>
  )
}

function CutCell(props: Omit<EditorProps, 'value' | 'stored'>) {
  const { params } = useExplorer()
  const address = useTableAddress()
  const rowKey = props.rows.rowAt(props.row)?.key ?? null
  const cellQuery = useCell(params, { table: address, column: props.column.name, key: rowKey })
  if (cellQuery.data && !cellQuery.data.is_cut)
    return <Editor {...props} value={cellQuery.data.value} stored={cellQuery.data.value} />
  if (cellQuery.data) return <Banner tone="warning">The value is too long to be edited here. Use a worksheet.</Banner>
  if (cellQuery.isError) {
    return (
      <Banner tone="warning">
        The whole value could not be loaded, so it can’t be edited. {cellQuery.error.message}
      </Banner>
    )
  }
  return (
    <Loading label="Loading the whole value">
      <Skeleton height={120} />
    </Loading>
  )
}

function findReason({ rows, row, column }: { rows: RowEdits; row: number; column: EditableColumn }): string | null {
  if (column.is_read_only) return 'The database fills this column in by itself.'
  if (rows.isDeleted(row)) return 'This row is going to be deleted. Keep it to change it.'
  if (!rows.newAt(row) && rows.findKey(row) === null) return 'The key of this row is too long to edit it here.'
  return null
}

interface EditorProps {
  column: EditableColumn
  rows: RowEdits
  row: number
  reason: string | null
  value: string | null
  stored: string | null
  onClose: () => void
}

function Editor({ column, rows, row, reason, value, stored, onClose }: EditorProps) {
  const freshRow = rows.newAt(row)
  const isSet = !freshRow || Object.hasOwn(freshRow.values, column.name)
  const [isDefault, setDefault] = useState(!isSet)
  const [isNull, setNull] = useState(isSet && value === null)
  const [text, setText] = useState(value === null ? '' : formatJsonText(value, column.type))
  const problem = isNull || isDefault ? undefined : findValueProblem(column.type, text)
  const key = rows.findKey(row)
  const save = () => {
    if (problem !== undefined || reason !== null) return
    // Reformatted JSON is the same value.
    const isUntouched = value !== null && text === formatJsonText(value, column.type)
    const next = isNull ? null : isUntouched ? value : text
    if (freshRow) {
      rows.setEdits(
        setNewCell(rows.edits, { id: freshRow.id, column: column.name, value: isDefault ? undefined : next }),
      )
    } else if (key) rows.setEdits(setCell(rows.edits, { key, column: column.name, old: stored, value: next }))
    onClose()
  }
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <p className={styles.facts}>
        <code>{column.type}</code>
        <span>{freshRow ? 'New row' : key ? `Row ${key.join(' / ')}` : ''}</span>
      </p>
      {reason !== null && <Banner>{reason}</Banner>}
      <ValueInput
        column={column}
        text={text}
        isDisabled={reason !== null || isNull || isDefault}
        error={problem}
        onChange={setText}
      />
      {column.is_nullable && (
        <Checkbox
          label="NULL"
          hint="No value, which is not the same as an empty text."
          checked={isNull}
          disabled={reason !== null || isDefault}
          onChange={(event) => setNull(event.target.checked)}
        />
      )}
      {freshRow && (
        <Checkbox
          label={column.has_default ? 'Default' : 'Not set'}
          hint={column.has_default ? 'The database fills in the default of the column.' : 'The column stays NULL.'}
          checked={isDefault}
          disabled={reason !== null}
          onChange={(event) => setDefault(event.target.checked)}
        />
      )}
      <div className={styles.actions}>
        <Button type="submit" variant="primary" disabled={reason !== null || problem !== undefined}>
          Change cell
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
      <RowActions rows={rows} row={row} onClose={onClose} />
    </form>
  )
}

function RowActions({ rows, row, onClose }: { rows: RowEdits; row: number; onClose: () => void }) {
  const then = (act: () => void) => () => {
    act()
    onClose()
  }
  return (
    <div className={styles.rowActions} role="group" aria-label="Row">
      <Button size="sm" onClick={then(() => rows.duplicateRow(row))}>
        Duplicate row
      </Button>
      {rows.isDeleted(row) ? (
        <Button size="sm" onClick={then(() => rows.keepRow(row))}>
          Keep row
        </Button>
      ) : (
        <Button size="sm" variant="danger" onClick={then(() => rows.deleteRows([row]))}>
          {rows.newAt(row) ? 'Remove row' : 'Delete row'}
        </Button>
      )}
    </div>
  )
}
