import { COLUMN_TYPE_NAMES, COLUMN_TYPES, type ColumnType } from '@trellis/contract/explorer/column-types'
import type { DataModel, FileModel, ModelColumn } from '@trellis/contract/uploads/uploads.schemas'
import { memo, useCallback, useRef } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import { Checkbox } from '../../../ui/forms/Choices.tsx'
import {
  doesFit,
  setAllToText,
  renameColumn,
  setIndex,
  setKey,
  setNullable,
  setSkipped,
  setType,
  type IndexKind,
  type Problem,
} from './model-draft.ts'
import styles from './model.module.css'
import { formatSamples } from './sample-values.ts'
import { WideColumns } from './WideColumns.tsx'

interface GridProps {
  fileModel: FileModel
  model: DataModel
  problems: readonly Problem[]
  onChange: (model: DataModel) => void
}

type Edit = (edit: (model: DataModel) => DataModel) => void

export function ModelGrid({ fileModel, model, problems, onChange }: GridProps) {
  const latest = useRef({ model, onChange })
  latest.current = { model, onChange }
  // Stable callbacks keep rows memoized: files may have hundreds of columns.
  const edit = useCallback<Edit>((change) => latest.current.onChange(change(latest.current.model)), [])
  const problemAt = new Map(problems.flatMap(({ index, text }) => (index === null ? [] : [[index, text] as const])))
  return (
    <WideColumns
      columns={model.columns}
      pinned={new Set(problemAt.keys())}
      actions={<Button onClick={() => onChange(setAllToText(model))}>All to text</Button>}
    >
      {(shown) => (
        <div className={styles.scroll} tabIndex={0} role="region" aria-label="Columns of the file">
          <table className={styles.grid}>
            <thead>
              <tr>
                <th scope="col">Load</th>
                <th scope="col">In the file</th>
                <th scope="col">Column name</th>
                <th scope="col">Type</th>
                <th scope="col">Key</th>
                <th scope="col">May be empty</th>
                <th scope="col">Index</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ column, index }) => (
                <Line
                  key={column.source ?? column.name}
                  position={index}
                  column={column}
                  facts={column.source === null ? undefined : fileModel.columns[column.source]}
                  samples={formatSamples(fileModel, column.source)}
                  fits={doesFit(column, fileModel.columns)}
                  isKey={model.primary_keys.includes(column.name)}
                  index={model.indexes[column.name] ?? null}
                  problem={problemAt.get(index)}
                  edit={edit}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </WideColumns>
  )
}

interface LineProps {
  position: number
  column: ModelColumn
  facts: FileModel['columns'][number] | undefined
  samples: string
  fits: boolean
  isKey: boolean
  index: IndexKind | null
  problem: string | undefined
  edit: Edit
}

const Line = memo(function Line({ position, column, facts, samples, fits, isKey, index, problem, edit }: LineProps) {
  const header = column.header || `Column ${position + 1}`
  const isOff = column.is_skipped
  return (
    <tr data-off={isOff}>
      <td>
        <Checkbox
          label={<span className="visually-hidden">{`Load ${header}`}</span>}
          checked={!isOff}
          onChange={(event) => edit((model) => setSkipped(model, position, !event.target.checked))}
        />
      </td>
      <th scope="row" className={styles.source}>
        <span>{header}</span>
        <span className={styles.samples}>{samples}</span>
      </th>
      <td>
        <input
          className={styles.cell}
          data-invalid={problem !== undefined}
          aria-label={`Column name for ${header}`}
          aria-invalid={problem === undefined ? undefined : true}
          value={column.name}
          disabled={isOff}
          spellCheck={false}
          onChange={(event) => edit((model) => renameColumn(model, position, event.target.value))}
        />
        {problem && (
          <span role="alert" className={styles.problem}>
            {problem}
          </span>
        )}
      </td>
      <td>
        <select
          className={styles.cell}
          aria-label={`Type of ${header}`}
          value={column.type}
          disabled={isOff}
          onChange={(event) => edit((model) => setType(model, position, event.target.value as ColumnType))}
        >
          <TypeOptions fitting={facts?.fitting_types ?? []} />
        </select>
        {!fits && !isOff && <StatusDot tone="warning">Some values do not fit</StatusDot>}
      </td>
      <td>
        <Checkbox
          label={<span className="visually-hidden">{`${header} is part of the key`}</span>}
          checked={isKey}
          disabled={isOff}
          onChange={(event) => edit((model) => setKey(model, position, event.target.checked))}
        />
      </td>
      <td>
        <Checkbox
          label={<span className="visually-hidden">{`${header} may be empty`}</span>}
          checked={column.is_nullable}
          disabled={isOff || isKey}
          onChange={(event) => edit((model) => setNullable(model, position, event.target.checked))}
        />
        {!column.is_nullable && facts !== undefined && facts.empty_values > 0 && !isOff && (
          <StatusDot tone="warning">{`${facts.empty_values.toLocaleString('en-US')} are`}</StatusDot>
        )}
      </td>
      <td>
        <select
          className={classNames(styles.cell, styles.short)}
          aria-label={`Index on ${header}`}
          value={index ?? ''}
          disabled={isOff || isKey}
          onChange={(event) =>
            edit((model) => setIndex(model, position, (event.target.value || null) as IndexKind | null))
          }
        >
          <option value="">None</option>
          <option value="btree">B-tree</option>
          <option value="hash">Hash</option>
          <option value="brin">BRIN</option>
        </select>
      </td>
    </tr>
  )
})

function TypeOptions({ fitting }: { fitting: readonly ColumnType[] }) {
  const others = COLUMN_TYPE_NAMES.filter((type) => !fitting.includes(type))
  const option = (type: ColumnType) => (
    <option key={type} value={type}>
      {COLUMN_TYPES[type].label}
    </option>
  )
  if (fitting.length === 0) return others.map(option)
  return (
    <>
      <optgroup label="Every value fits">{fitting.map(option)}</optgroup>
      {others.length > 0 && <optgroup label="Some values do not fit">{others.map(option)}</optgroup>}
    </>
  )
}
