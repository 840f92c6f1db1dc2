import type { Statement } from '@trellis/contract/sql/sql.schemas'
import { lazy, Suspense, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { compareRows, type Comparison, guessKey } from '../engine/compare-rows.ts'
import { toCellText } from '../grid/cell-text.ts'
import { type LoadedRows, useResultRows } from '../result-rows.queries.ts'
import { describeLoaded } from '../result-words.ts'
import styles from './compare.module.css'

const DataGrid = lazy(async () => ({ default: (await import('../../../../ui/grid/DataGrid.tsx')).DataGrid }))

const NO_ROWS: never[] = []
const TONES = { added: 'added', removed: 'deleted', changed: 'changed' } as const
const CHANGES = { added: 'New', removed: 'Gone', changed: 'Changed' } as const

interface ComparedRowsProps {
  result: Statement
  loaded: LoadedRows
  earlier: { jobId: string; statement: number; result: Statement }
}

export function ComparedRows({ result, loaded, earlier }: ComparedRowsProps) {
  const before = useResultRows({ ...earlier, firstRows: NO_ROWS })
  const load = useEffectEvent(() => {
    loaded.loadAll()
    before.loadAll()
  })
  useEffect(() => load(), [])
  const columns = useMemo(() => result.columns ?? [], [result.columns])
  const [selected, setSelected] = useState<readonly string[] | null>(null)
  const isReady = !before.isLoading && !loaded.isLoading
  const sides = useMemo(
    () =>
      isReady
        ? {
            was: { columns: earlier.result.columns ?? [], rows: before.rows },
            is: { columns, rows: loaded.rows },
          }
        : null,
    [isReady, earlier.result.columns, before.rows, columns, loaded.rows],
  )
  const keys = useMemo(() => selected ?? (sides ? guessKey(sides.was, sides.is) : []), [selected, sides])
  const comparison = useMemo(() => (sides ? compareRows(sides.was, sides.is, keys) : null), [sides, keys])
  if (!comparison) return <p className={styles.message}>Loading both results…</p>
  const toggle = (name: string) =>
    setSelected(keys.includes(name) ? keys.filter((key) => key !== name) : [...keys, name])
  return (
    <>
      <div className={styles.facts}>
        <p role="status">
          <strong>{formatComparison(comparison)}</strong> {comparison.notes.join(' ')} This result:{' '}
          {describeLoaded(loaded, result)} Earlier: {describeLoaded(before, earlier.result)}
        </p>
        <fieldset className={styles.keys}>
          <legend>Rows are the same by</legend>
          {comparison.columns.map((name) => (
            <label key={name}>
              <input type="checkbox" checked={keys.includes(name)} onChange={() => toggle(name)} /> {name}
            </label>
          ))}
        </fieldset>
      </div>
      <div className={styles.grid}>
        <Suspense>
          <ChangesGrid comparison={comparison} columns={columns} />
        </Suspense>
      </div>
    </>
  )
}

function formatComparison({ added, removed, changed, same }: Comparison): string {
  const count = (value: number) => value.toLocaleString('en-GB')
  return `${count(added)} new, ${count(removed)} gone, ${count(changed)} changed, ${count(same)} the same.`
}

function ChangesGrid({
  comparison,
  columns,
}: {
  comparison: Comparison
  columns: readonly { name: string; type: string; kind: NonNullable<Statement['columns']>[number]['kind'] }[]
}) {
  const shown = comparison.columns.map((name) => columns.find((column) => column.name === name))
  const cellAt = (row: number, index: number) => {
    const line = comparison.rows[row]
    if (!line) return { text: null }
    if (index === 0) return { text: CHANGES[line.change], tone: TONES[line.change] }
    const kind = shown[index - 1]?.kind
    const value = toCellText(line.values[index - 1] ?? null, kind)
    if (!line.before) return { text: value, tone: TONES[line.change] }
    const was = toCellText(line.before[index - 1] ?? null, kind)
    return was === value ? { text: value } : { text: `${was ?? 'NULL'} → ${value ?? 'NULL'}`, tone: TONES[line.change] }
  }
  return (
    <DataGrid
      label="Changes"
      columns={[
        { key: 'change', title: 'Change' },
        ...comparison.columns.map((name, index) => ({
          key: `${index} ${name}`,
          title: name,
          note: shown[index]?.type ?? '',
        })),
      ]}
      rowCount={comparison.rows.length}
      cellAt={cellAt}
      sort={null}
      onSort={() => undefined}
      onOpen={() => undefined}
      pinned={1}
      empty="Both results are the same."
    />
  )
}
