import { PRIMARY_KEY_MESSAGE } from '@trellis/contract/dataflows/dataflow-words'
import { COLUMN_TYPE_NAMES, COLUMN_TYPES, type ColumnType } from '@trellis/contract/explorer/column-types'
import type { SourceDataModel } from '@trellis/contract/integrations/integrations.schemas'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../../ui/actions/Button.tsx'
import { IconButton } from '../../../../ui/actions/IconButton.tsx'
import { Badge } from '../../../../ui/feedback/Status.tsx'
import { Checkbox } from '../../../../ui/forms/Choices.tsx'
import { FieldError } from '../../../../ui/forms/Field.tsx'
import { SearchField } from '../../../../ui/forms/SearchField.tsx'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import {
  toColumnName,
  findColumnProblems,
  fieldNames,
  removeField,
  setColumn,
  setIndex,
  setKey,
  setType,
  mergeModel,
  type IndexType,
} from './table-model.ts'
import styles from './write.module.css'

interface DialogProps {
  title: 'Modify Data Model' | 'Setup Table'
  isKeyNeeded?: boolean
  found: SourceDataModel
  settled: SourceDataModel | null
  onSave: (model: SourceDataModel) => void
  onClose: () => void
}

const SEARCH_FROM = 12

export default function TableSetupDialog(props: DialogProps) {
  const { title, isKeyNeeded = true, found, settled, onSave, onClose } = props
  const [model, setModel] = useState(() => mergeModel(found, settled))
  const [search, setSearch] = useState('')
  const problems = findColumnProblems(model)
  const hasKey = model.primary_keys.length > 0
  const canSave = (hasKey || !isKeyNeeded) && Object.keys(problems).length === 0
  const words = search.trim().toLowerCase()
  const fields = fieldNames(model)
  const shownFields = fields.filter((field) => `${field} ${toColumnName(model, field)}`.toLowerCase().includes(words))
  return (
    <Dialog
      size="lg"
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={!canSave} onClick={() => onSave(model)}>
            Save
          </Button>
        </>
      }
    >
      <div className={styles.top}>
        <p className={styles.soft}>
          {hasKey ? `Primary key: ${model.primary_keys.join(' + ')}` : 'Choose the columns that identify a row.'}
        </p>
        {fields.length > SEARCH_FROM && (
          <SearchField label="Search fields" value={search} onChange={(event) => setSearch(event.target.value)} />
        )}
      </div>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Fields">
        <table className={styles.fields}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Column name</th>
              <th scope="col">Data type</th>
              <th scope="col">Primary key</th>
              <th scope="col">Index</th>
            </tr>
          </thead>
          <tbody>
            {shownFields.map((field) => (
              <FieldRow
                key={field}
                field={field}
                model={model}
                isGone={!(field in found.fields)}
                problem={problems[field]}
                onChange={setModel}
              />
            ))}
          </tbody>
        </table>
        {shownFields.length === 0 && <p className={styles.soft}>No field matches the search.</p>}
      </div>
      {!hasKey && isKeyNeeded && <FieldError text={PRIMARY_KEY_MESSAGE} />}
    </Dialog>
  )
}

interface RowProps {
  field: string
  model: SourceDataModel
  isGone: boolean
  problem: string | undefined
  onChange: (model: SourceDataModel) => void
}

function FieldRow({ field, model, isGone, problem, onChange }: RowProps) {
  const isKey = model.primary_keys.includes(field)
  return (
    <tr>
      <th scope="row">
        {field}
        {isGone && (
          <span className={styles.gone}>
            <Badge tone="warning">no longer in the source</Badge>
            <IconButton
              size="sm"
              label={`Remove ${field}`}
              icon={<Trash2 aria-hidden />}
              onClick={() => onChange(removeField(model, field))}
            />
          </span>
        )}
      </th>
      <td>
        <input
          className={styles.cell}
          aria-label={`Column name of ${field}`}
          aria-invalid={problem === undefined ? undefined : true}
          spellCheck={false}
          value={toColumnName(model, field)}
          onChange={(event) => onChange(setColumn(model, field, event.target.value))}
        />
        <FieldError text={problem} />
      </td>
      <td>
        <select
          className={styles.cell}
          aria-label={`Data type of ${field}`}
          value={model.fields[field]}
          onChange={(event) => onChange(setType(model, field, event.target.value as ColumnType))}
        >
          {COLUMN_TYPE_NAMES.map((type) => (
            <option key={type} value={type}>
              {COLUMN_TYPES[type].label}
            </option>
          ))}
        </select>
      </td>
      <td>
        <Checkbox
          label={<span className="visually-hidden">{`${field} is part of the primary key`}</span>}
          checked={isKey}
          onChange={(event) => onChange(setKey(model, field, event.target.checked))}
        />
      </td>
      <td>
        <select
          className={styles.cell}
          aria-label={`Index on ${field}`}
          value={model.indexes[field] ?? ''}
          disabled={isKey}
          onChange={(event) => onChange(setIndex(model, field, (event.target.value || null) as IndexType | null))}
        >
          <option value="">{isKey ? 'By the key' : 'None'}</option>
          <option value="btree">B-tree</option>
          <option value="hash">Hash</option>
          <option value="brin">BRIN</option>
        </select>
      </td>
    </tr>
  )
}
