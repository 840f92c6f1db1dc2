import {
  MAX_SPARK_PARAMETERS,
  type SparkContent,
  type SparkParameter,
} from '@trellis/contract/sparks/spark-content.schemas'
import { Plus, Trash2 } from 'lucide-react'
import { Button } from '../../../ui/actions/Button.tsx'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import styles from './edit.module.css'
import { createNextKey } from './next-key.ts'

const TYPES: Record<SparkParameter['type'], string> = {
  text: 'Text',
  integer: 'Whole number',
  numeric: 'Number',
  boolean: 'Yes or no',
  date: 'Date',
}

interface ParametersFormProps {
  content: SparkContent
  onChange: (parameters: SparkParameter[]) => void
}

export function ParametersForm({ content, onChange }: ParametersFormProps) {
  const { parameters, sources } = content
  const add = () =>
    onChange([
      ...parameters,
      { key: createNextKey('value', parameters), label: 'New filter', type: 'text', initial: null, options_from: null },
    ])
  return (
    <div className={styles.parts}>
      {parameters.length === 0 && (
        <p className={styles.quiet}>
          A parameter is a filter for viewers. In SQL it is <code>:key</code>; nothing chosen is NULL.
        </p>
      )}
      {parameters.map((parameter, position) => {
        const set = (change: Partial<SparkParameter>) =>
          onChange(parameters.map((parameter, index) => (index === position ? { ...parameter, ...change } : parameter)))
        return (
          <fieldset key={position} className={styles.part}>
            <legend>{parameter.label}</legend>
            <div className={styles.pair}>
              <TextField
                label="Label"
                value={parameter.label}
                maxLength={120}
                onChange={(event) => set({ label: event.target.value })}
              />
              <TextField
                label="Key"
                isMono
                value={parameter.key}
                maxLength={40}
                onChange={(event) => set({ key: event.target.value })}
              />
              <Select
                label="Type"
                options={(Object.keys(TYPES) as SparkParameter['type'][]).map((value) => ({
                  value,
                  label: TYPES[value],
                }))}
                value={parameter.type}
                onChange={(event) => set({ type: event.target.value as SparkParameter['type'] })}
              />
              <TextField
                label="Initial value"
                isOptional
                value={parameter.initial ?? ''}
                maxLength={1000}
                onChange={(event) => set({ initial: event.target.value === '' ? null : event.target.value })}
              />
              <Select
                label="Choices from"
                placeholder="Free field"
                options={sources.map(({ key, name }) => ({ value: key, label: name }))}
                value={parameter.options_from ?? ''}
                onChange={(event) => set({ options_from: event.target.value === '' ? null : event.target.value })}
              />
            </div>
            <IconButton
              size="sm"
              label={`Delete parameter ${parameter.key}`}
              icon={<Trash2 aria-hidden />}
              onClick={() => onChange(parameters.filter((_, index) => index !== position))}
            />
          </fieldset>
        )
      })}
      {parameters.length < MAX_SPARK_PARAMETERS && (
        <Button icon={<Plus aria-hidden />} onClick={add}>
          Add parameter
        </Button>
      )}
    </div>
  )
}
