import type { SparkBlock, SparkSource } from '@trellis/contract/sparks/spark-content.schemas'
import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'
import { ChartEditor } from '../../../charts/ChartEditor.tsx'
import { FormatSettings } from '../../../charts/FormatSettings.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { COLUMN_FIELDS } from './block-forms.ts'
import styles from './edit.module.css'

const WIDTHS = [
  { value: 'full', label: 'Full width' },
  { value: 'half', label: 'Half' },
  { value: 'third', label: 'Third' },
  { value: 'quarter', label: 'Quarter' },
]
const PLAIN = { style: 'number' as const, decimals: null, prefix: '', suffix: '' }

interface BlockFieldsProps {
  block: SparkBlock
  sources: readonly SparkSource[]
  columns: Readonly<Record<string, readonly ResultColumn[]>>
  onChange: (block: SparkBlock) => void
}

export function BlockFields({ block, sources, columns, onChange }: BlockFieldsProps) {
  const set = (change: Readonly<Record<string, unknown>>) => onChange({ ...block, ...change } as SparkBlock)
  const found = 'source' in block ? (columns[block.source] ?? []) : []
  return (
    <div className={styles.fields}>
      {block.kind === 'heading' && (
        <TextField
          label="Heading"
          maxLength={120}
          value={block.text}
          onChange={(event) => set({ text: event.target.value })}
        />
      )}
      {block.kind === 'text' && (
        <Field label="Text" hint="Markdown: **bold**, lists, tables.">
          {(links) => (
            <textarea
              {...links}
              rows={4}
              maxLength={5000}
              className={styles.textarea}
              value={block.text}
              onChange={(event) => set({ text: event.target.value })}
            />
          )}
        </Field>
      )}
      <div className={styles.pair}>
        {'source' in block && (
          <>
            <Select
              label="Source"
              options={sources.map(({ key, name }) => ({ value: key, label: name }))}
              value={block.source}
              onChange={(event) => set({ source: event.target.value })}
            />
            <TextField
              label="Title"
              isOptional
              maxLength={120}
              value={block.title}
              onChange={(event) => set({ title: event.target.value })}
            />
          </>
        )}
        {(COLUMN_FIELDS[block.kind] ?? []).map(({ key, label, isOptional = false }) => (
          <ColumnSelect
            key={key}
            label={label}
            isOptional={isOptional}
            columns={found}
            value={((block as Record<string, unknown>)[key] as string | null) ?? ''}
            onChange={(name) => set({ [key]: name === '' && isOptional ? null : name })}
          />
        ))}
        <Select
          label="Width"
          options={WIDTHS}
          value={block.width}
          onChange={(event) => set({ width: event.target.value })}
        />
      </div>
      {block.kind === 'number' && (
        <FormatSettings format={block.format ?? PLAIN} onChange={(format) => set({ format })} />
      )}
      {block.kind === 'chart' && (
        <ChartEditor spec={block.chart} columns={found} onChange={(chart) => set({ chart })} />
      )}
    </div>
  )
}

interface ColumnSelectProps {
  label: string
  isOptional: boolean
  columns: readonly ResultColumn[]
  value: string
  onChange: (name: string) => void
}

/** Until the source has been read, only the current column is known. */
function ColumnSelect({ label, isOptional, columns, value, onChange }: ColumnSelectProps) {
  const names = [...new Set([...columns.map(({ name }) => name), ...(value === '' ? [] : [value])])]
  return (
    <Select
      label={label}
      isOptional={isOptional}
      {...(isOptional && { placeholder: 'None' })}
      options={names.map((name) => ({ value: name, label: name }))}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
