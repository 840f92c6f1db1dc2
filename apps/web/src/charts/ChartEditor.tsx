import {
  CHART_COLORS,
  type ChartAggregate,
  type ChartKind,
  type ChartMeasure,
  type ChartSort,
  type ChartSpec,
  type ChartTimeUnit,
  MAX_CHART_GROUPS,
  MAX_CHART_MEASURES,
} from '@trellis/contract/charts/charts.schemas'
import type { ChartColumn } from '@trellis/contract/charts/suggest-chart'
import { Plus, X } from 'lucide-react'
import { CompactSelect } from '../ui/forms/CompactSelect.tsx'
import { Button } from '../ui/actions/Button.tsx'
import { IconButton } from '../ui/actions/IconButton.tsx'
import { Checkbox } from '../ui/forms/Choices.tsx'
import { Select } from '../ui/forms/Select.tsx'
import { TextField } from '../ui/forms/TextField.tsx'
import { FormatSettings } from './FormatSettings.tsx'
import styles from './chart-editor.module.css'

const KINDS: Record<ChartKind, string> = {
  line: 'Line',
  bar: 'Bar',
  area: 'Area',
  scatter: 'Scatter',
  pie: 'Pie',
  big_number: 'Big number',
}
const AGGREGATES: Record<ChartAggregate, string> = {
  none: 'As it is',
  sum: 'Sum',
  mean: 'Mean',
  median: 'Median',
  min: 'Minimum',
  max: 'Maximum',
  count: 'Count',
  count_distinct: 'Distinct values',
}
const SORTS: Record<ChartSort, string> = {
  none: 'As in the result',
  x_asc: 'Name, A to Z',
  x_desc: 'Name, Z to A',
  y_desc: 'Largest first',
  y_asc: 'Smallest first',
}
const UNITS: Record<ChartTimeUnit, string> = {
  auto: 'Automatic',
  none: 'Each value',
  minute: 'Minute',
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
  quarter: 'Quarter',
  year: 'Year',
}

const toOptions = <K extends string>(words: Record<K, string>) =>
  (Object.keys(words) as K[]).map((value) => ({ value, label: words[value] }))

interface ChartEditorProps {
  spec: ChartSpec
  columns: readonly ChartColumn[]
  onChange: (spec: ChartSpec) => void
}

export function ChartEditor({ spec, columns, onChange }: ChartEditorProps) {
  const set = (change: Partial<ChartSpec>) => onChange({ ...spec, ...change })
  const names = [...new Set(columns.map(({ name }) => name))].map((name) => ({ value: name, label: name }))
  const xKind = columns.find(({ name }) => name === spec.x)?.kind
  const isTime = xKind === 'date' || xKind === 'timestamp'
  const isBig = spec.kind === 'big_number'
  const isGrouped = spec.kind === 'bar' || spec.kind === 'pie'
  return (
    <div className={styles.editor}>
      <Select
        label="Chart type"
        options={toOptions(KINDS)}
        value={spec.kind}
        onChange={(event) => set({ kind: event.target.value as ChartKind })}
      />
      <TextField
        label="Title"
        value={spec.title}
        maxLength={200}
        onChange={(event) => set({ title: event.target.value })}
      />
      {!isBig && (
        <Select
          label={spec.kind === 'pie' ? 'Slices' : 'X axis'}
          options={names}
          placeholder="None"
          value={spec.x ?? ''}
          onChange={(event) => set({ x: event.target.value === '' ? null : event.target.value })}
        />
      )}
      {!isBig && isTime && (
        <Select
          label="Group times by"
          options={toOptions(UNITS)}
          value={spec.time_unit}
          onChange={(event) => set({ time_unit: event.target.value as ChartTimeUnit })}
        />
      )}
      <Measures spec={spec} names={names} onChange={(y) => set({ y })} />
      {!isBig && spec.kind !== 'pie' && (
        <Select
          label="Split by"
          options={names}
          placeholder="None"
          value={spec.split_by ?? ''}
          onChange={(event) => set({ split_by: event.target.value === '' ? null : event.target.value })}
        />
      )}
      {isGrouped && <Groups spec={spec} set={set} />}
      {(spec.kind === 'bar' || spec.kind === 'area') && (
        <Checkbox
          label="Stacked"
          checked={spec.is_stacked}
          onChange={(event) => set({ is_stacked: event.target.checked })}
        />
      )}
      {!isBig && spec.kind !== 'scatter' && (
        <Checkbox
          label="Show values"
          checked={spec.show_labels}
          onChange={(event) => set({ show_labels: event.target.checked })}
        />
      )}
      <FormatSettings format={spec.format} onChange={(format) => set({ format })} />
    </div>
  )
}

function Groups({ spec, set }: { spec: ChartSpec; set: (change: Partial<ChartSpec>) => void }) {
  return (
    <>
      <Select
        label="Sort"
        options={toOptions(SORTS)}
        value={spec.sort}
        onChange={(event) => set({ sort: event.target.value as ChartSort })}
      />
      <TextField
        label="Largest groups"
        type="number"
        min={1}
        max={MAX_CHART_GROUPS}
        placeholder="All"
        value={spec.top ?? ''}
        onChange={(event) => set({ top: toCount(event.target.value) })}
      />
      {spec.top !== null && (
        <Checkbox
          label='Show the rest as "Other"'
          checked={spec.show_other}
          onChange={(event) => set({ show_other: event.target.checked })}
        />
      )}
    </>
  )
}

function toCount(text: string): number | null {
  const value = Math.trunc(Number(text))
  return text === '' || !Number.isFinite(value) ? null : Math.max(1, Math.min(MAX_CHART_GROUPS, value))
}

interface MeasuresProps {
  spec: ChartSpec
  names: { value: string; label: string }[]
  onChange: (y: ChartMeasure[]) => void
}

function Measures({ spec, names, onChange }: MeasuresProps) {
  const replace = (at: number, change: Partial<ChartMeasure>) =>
    onChange(spec.y.map((measure, index) => (index === at ? { ...measure, ...change } : measure)))
  const canAdd = spec.kind !== 'pie' && spec.y.length < MAX_CHART_MEASURES
  return (
    <fieldset className={styles.measures}>
      <legend>Values</legend>
      {spec.y.map((measure, at) => (
        <div key={at} className={styles.measure}>
          <CompactSelect
            label={`Column of value ${at + 1}`}
            value={measure.column ?? ''}
            onChange={(column) => replace(at, column === '' ? { column: null, aggregate: 'count' } : { column })}
            options={[{ value: '', label: 'Rows' }, ...names]}
          />
          <CompactSelect
            label={`Aggregate of value ${at + 1}`}
            value={measure.column === null ? 'count' : measure.aggregate}
            isDisabled={measure.column === null}
            onChange={(aggregate) => replace(at, { aggregate: aggregate as ChartAggregate })}
            options={toOptions(AGGREGATES)}
          />
          {spec.split_by === null && spec.kind !== 'pie' && spec.kind !== 'big_number' && (
            <CompactSelect
              label={`Colour of value ${at + 1}`}
              value={measure.color ?? ''}
              onChange={(value) => {
                const { color: _, ...rest } = measure
                const color = CHART_COLORS.find((name) => name === value)
                onChange(spec.y.map((other, index) => (index === at ? { ...rest, ...(color && { color }) } : other)))
              }}
              options={[
                { value: '', label: 'Colour' },
                ...CHART_COLORS.map((name, index) => ({ value: name, label: `Colour ${index + 1}` })),
              ]}
            />
          )}
          {spec.y.length > 1 && (
            <IconButton
              size="sm"
              label={`Remove value ${at + 1}`}
              icon={<X aria-hidden />}
              onClick={() => onChange(spec.y.filter((_, index) => index !== at))}
            />
          )}
        </div>
      ))}
      {canAdd && (
        <Button
          size="sm"
          variant="ghost"
          icon={<Plus aria-hidden />}
          onClick={() => onChange([...spec.y, { column: null, aggregate: 'count' }])}
        >
          Add value
        </Button>
      )}
    </fieldset>
  )
}
