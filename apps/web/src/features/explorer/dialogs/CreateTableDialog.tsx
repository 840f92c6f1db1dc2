import { COLUMN_TYPES, type ColumnType } from '@trellis/contract/explorer/column-types'
import { NewTable } from '@trellis/contract/explorer/explorer.schemas'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { getErrorDetail } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import type { SchemaAddress } from '../explorer-paths.ts'
import { schemaRef, useCreateTable } from '../explorer.queries.ts'
import { useExplorer } from '../use-explorer.ts'
import styles from './dialogs.module.css'
import { findProblem, type DraftColumn } from './table-draft.ts'

const TYPES = Object.entries(COLUMN_TYPES) as [ColumnType, { label: string }][]

let lastId = 0
const createDraftColumn = (more: Partial<DraftColumn> = {}): DraftColumn => {
  lastId += 1
  return { id: lastId, name: '', type: 'text', is_nullable: true, is_primary_key: false, ...more }
}

export default function CreateTableDialog({ address, onClose }: { address: SchemaAddress; onClose: () => void }) {
  const { params, paths } = useExplorer()
  const create = useCreateTable()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [columns, setColumns] = useState(() => [
    createDraftColumn({ name: 'id', type: 'integer', is_nullable: false, is_primary_key: true }),
    createDraftColumn(),
  ])
  const [problem, setProblem] = useState<string>()
  const change = (id: number, more: Partial<DraftColumn>) =>
    setColumns((oldDraftColumns) =>
      oldDraftColumns.map((draftColumn) => (draftColumn.id === id ? { ...draftColumn, ...more } : draftColumn)),
    )
  const submit = async () => {
    const body = {
      ...schemaRef(address),
      table_name: name,
      columns: columns.filter((column) => column.name.trim() !== '').map(({ id: _id, ...column }) => column),
    }
    const wrong = findProblem(z.safeParse(NewTable, body), body.columns)
    setProblem(wrong)
    if (wrong !== undefined) return
    try {
      await create.mutateAsync({ params, body })
      onClose()
      await navigate(paths.table({ ...address, table: name.trim() }, 'details'))
    } catch (error) {
      setProblem(getErrorDetail(error))
    }
  }
  return (
    <Dialog
      title={`New table in ${address.schema}`}
      size="lg"
      onClose={onClose}
      isLocked={create.isPending}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            isBusy={create.isPending}
            disabled={name.trim() === ''}
            type="submit"
            form="create-table"
          >
            Create table
          </Button>
        </>
      }
    >
      <form
        id="create-table"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextField
          label="Table name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <div role="group" aria-label="Columns" className={styles.columns}>
          {columns.map((column, index) => (
            <ColumnLine
              key={column.id}
              column={column}
              number={index + 1}
              onChange={(more) => change(column.id, more)}
              onRemove={
                columns.length > 1
                  ? () =>
                      setColumns((oldDraftColumns) =>
                        oldDraftColumns.filter((draftColumn) => draftColumn.id !== column.id),
                      )
                  : undefined
              }
            />
          ))}
        </div>
        <div>
          <Button
            size="sm"
            icon={<Plus aria-hidden />}
            onClick={() => setColumns((oldDraftColumns) => [...oldDraftColumns, createDraftColumn()])}
          >
            Add column
          </Button>
        </div>
        {problem && <Banner tone="danger">{problem}</Banner>}
      </form>
    </Dialog>
  )
}

function ColumnLine({
  column,
  number,
  onChange,
  onRemove,
}: {
  column: DraftColumn
  number: number
  onChange: (more: Partial<DraftColumn>) => void
  onRemove: (() => void) | undefined
}) {
  const of = column.name.trim() === '' ? `column ${number}` : column.name
  return (
    <div className={styles.column}>
      <input
        aria-label={`Name of column ${number}`}
        placeholder="Column name"
        value={column.name}
        spellCheck={false}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <select
        aria-label={`Type of ${of}`}
        value={column.type}
        onChange={(event) => onChange({ type: event.target.value as ColumnType })}
      >
        {TYPES.map(([type, { label }]) => (
          <option key={type} value={type}>
            {label}
          </option>
        ))}
      </select>
      <label>
        <input
          type="checkbox"
          aria-label={`${of} may be empty`}
          checked={column.is_nullable && !column.is_primary_key}
          disabled={column.is_primary_key}
          onChange={(event) => onChange({ is_nullable: event.target.checked })}
        />
        May be empty
      </label>
      <label>
        <input
          type="checkbox"
          aria-label={`${of} is in the primary key`}
          checked={column.is_primary_key}
          onChange={(event) =>
            onChange({ is_primary_key: event.target.checked, ...(event.target.checked && { is_nullable: false }) })
          }
        />
        Key
      </label>
      <IconButton
        size="sm"
        label={`Remove ${of}`}
        icon={<X aria-hidden />}
        disabled={onRemove === undefined}
        onClick={onRemove}
      />
    </div>
  )
}
