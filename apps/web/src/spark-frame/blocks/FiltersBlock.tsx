import type { SparkParameter } from '@trellis/contract/sparks/spark-content.schemas'
import { useEffect, useState } from 'react'
import { Select } from '../../ui/forms/Select.tsx'
import { TextField } from '../../ui/forms/TextField.tsx'
import { useFrameState, useHost, useRows } from '../bridge/host-context.ts'
import styles from '../kit.module.css'
import { usePrinting } from '../use-printing.ts'
import type { BlockOf } from './block-kinds.ts'

const SETTLE_MS = 400
const YES_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

export function FiltersBlock({ block }: { block: BlockOf<'filters'> }) {
  const { content, parameters, isFrozen } = useFrameState()
  const isPrinting = usePrinting()
  const shownParameters = content.parameters.filter(
    ({ key }) => block.parameters.length === 0 || block.parameters.includes(key),
  )
  if (shownParameters.length === 0) return null
  if (isFrozen || isPrinting) {
    return (
      <dl className={styles.frozen}>
        {shownParameters.map(({ key, label }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>{parameters[key] ?? 'All'}</dd>
          </div>
        ))}
      </dl>
    )
  }
  return (
    <div role="group" aria-label="Filters" className={styles.filters}>
      {shownParameters.map((parameter) => (
        <Filter key={parameter.key} parameter={parameter} value={parameters[parameter.key] ?? null} />
      ))}
    </div>
  )
}

function Filter({ parameter, value }: { parameter: SparkParameter; value: string | null }) {
  const host = useHost()
  const set = (next: string) => host.setParameters({ [parameter.key]: next === '' ? null : next })
  if (parameter.options_from !== null) {
    return <Options parameter={parameter} source={parameter.options_from} value={value} onChange={set} />
  }
  if (parameter.type === 'boolean') {
    return (
      <Select
        label={parameter.label}
        placeholder="All"
        options={YES_NO}
        value={value ?? ''}
        onChange={(event) => set(event.target.value)}
      />
    )
  }
  return <FreeField parameter={parameter} value={value} onChange={set} />
}

interface FieldProps {
  parameter: SparkParameter
  value: string | null
  onChange: (value: string) => void
}

function Options({ parameter, source, value, onChange }: FieldProps & { source: string }) {
  const { rows, problem } = useRows(source)
  const options = (rows?.rows ?? []).flatMap(([option = null, label]) =>
    option === null ? [] : [{ value: option, label: label ?? option }],
  )
  const isListed = value === null || options.some((option) => option.value === value)
  return (
    <Select
      label={parameter.label}
      placeholder="All"
      {...(problem !== null && { error: problem })}
      options={isListed ? options : [{ value: value ?? '', label: value ?? '' }, ...options]}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

const INPUT_TYPES = { text: 'text', integer: 'number', numeric: 'number', date: 'date', boolean: 'text' } as const

function FreeField({ parameter, value, onChange }: FieldProps) {
  const [text, setText] = useState(value ?? '')
  const [shown, setShown] = useState(value)
  if (value !== shown) {
    setShown(value)
    setText(value ?? '')
  }
  useEffect(() => {
    if (text === (value ?? '')) return undefined
    const timer = setTimeout(() => onChange(text), SETTLE_MS)
    return () => clearTimeout(timer)
  })
  return (
    <TextField
      label={parameter.label}
      type={INPUT_TYPES[parameter.type]}
      {...(parameter.type === 'numeric' && { step: 'any' })}
      maxLength={1000}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  )
}
