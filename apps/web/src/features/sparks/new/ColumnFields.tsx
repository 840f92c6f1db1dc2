import type { SparkTemplates } from '@trellis/contract/sparks/sparks.schemas'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Checkbox } from '../../../ui/forms/Choices.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import type { useTableDetails } from '../../explorer/explorer.queries.ts'
import styles from '../sparks.module.css'
import { isOfKind } from './guess-columns.ts'

type Field = SparkTemplates['templates'][number]['fields'][number]

interface ColumnFieldsProps {
  details: ReturnType<typeof useTableDetails>
  fields: readonly Field[]
  values: Record<string, string[]>
  onChange: (values: Record<string, string[]>) => void
}

export function ColumnFields({ details, fields, values, onChange }: ColumnFieldsProps) {
  return (
    <Loaded query={details} subject="The columns of the table" skeletonHeights={[64, 64]}>
      {(tableDetails) => (
        <div className={styles.columns}>
          {fields.map((field) => {
            const fitting = tableDetails.columns.filter((column) => isOfKind(column.type, field.kinds))
            const selected = values[field.key] ?? []
            const set = (names: string[]) => onChange({ ...values, [field.key]: names })
            return field.is_list ? (
              <fieldset key={field.key} className={styles.choices}>
                <legend>{field.label}</legend>
                <p className={styles.quiet}>{field.hint}</p>
                {fitting.map(({ name }) => (
                  <Checkbox
                    key={name}
                    label={name}
                    checked={selected.includes(name)}
                    onChange={(event) =>
                      set(event.target.checked ? [...selected, name] : selected.filter((item) => item !== name))
                    }
                  />
                ))}
              </fieldset>
            ) : (
              <Select
                key={field.key}
                label={field.label}
                hint={field.hint}
                isOptional={!field.is_required}
                placeholder={field.is_required ? 'Choose a column' : 'None'}
                options={fitting.map(({ name, type }) => ({ value: name, label: `${name} (${type})` }))}
                value={selected[0] ?? ''}
                onChange={(event) => set(event.target.value === '' ? [] : [event.target.value])}
              />
            )
          })}
        </div>
      )}
    </Loaded>
  )
}
