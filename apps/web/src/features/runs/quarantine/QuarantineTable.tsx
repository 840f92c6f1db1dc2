import { useEffect, useRef } from 'react'
import { Badge } from '../../../ui/feedback/Status.tsx'
import parts from '../../../running/running.module.css'
import styles from '../runs.module.css'
import {
  listColumns,
  toRowKey,
  getCurrentValue,
  type BadRow,
  type RowCorrections,
  type Refusal,
} from './row-corrections.ts'
import own from './quarantine.module.css'

interface QuarantineTableProps {
  rows: readonly BadRow[]
  selected: ReadonlySet<string>
  mended: RowCorrections
  refused: readonly Refusal[]
  isBusy: boolean
  onChoose: (selected: ReadonlySet<string>) => void
  onMend: (row: BadRow, column: string, value: string | null) => void
}

const STATE_LABELS = { waiting: '', sent: 'Loaded', dismissed: 'Dismissed' } as const

export function QuarantineTable({ rows, selected, mended, refused, isBusy, onChoose, onMend }: QuarantineTableProps) {
  const columns = listColumns(rows)
  const reasons = new Map(refused.map((item) => [toRowKey(item), item]))
  const open = rows.filter(({ state }) => state === 'waiting')
  const isAll = open.length > 0 && open.every((row) => selected.has(toRowKey(row)))
  const toggle = (key: string) => {
    const next = new Set(selected)
    if (!next.delete(key)) next.add(key)
    onChoose(next)
  }
  const frame = useRef<HTMLDivElement>(null)
  // Scrolls the next invalid value of a wide table into view. A busy button loses focus, so that it would be nowhere.
  useEffect(() => {
    const find = (selector: string) => frame.current?.querySelector<HTMLElement>(selector)
    const next =
      find('[data-refused] input[aria-invalid]') ?? find('[data-refused] input') ?? find('input[aria-invalid]')
    if (!isBusy) (next ?? frame.current)?.focus()
  }, [isBusy, refused])
  return (
    <div ref={frame} className={own.frame} role="group" aria-label="Rejected rows" tabIndex={0}>
      <table className={own.table} aria-label="Rejected rows">
        <thead>
          <tr>
            <th scope="col">
              <input
                type="checkbox"
                aria-label="Select every row"
                checked={isAll}
                disabled={open.length === 0}
                onChange={() => onChoose(isAll ? new Set() : new Set(open.map(toRowKey)))}
              />
            </th>
            <th scope="col">Row</th>
            <th scope="col">Reason</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                <code>{column}</code>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = toRowKey(row)
            const no = reasons.get(key)
            const isOpen = row.state === 'waiting'
            const bad = no ? no.column : row.column
            return (
              <tr key={key} data-done={!isOpen} data-refused={no ? '' : undefined}>
                <td>
                  <input
                    type="checkbox"
                    aria-label={`Select row ${row.row}`}
                    checked={selected.has(key)}
                    disabled={!isOpen}
                    onChange={() => toggle(key)}
                  />
                </td>
                <td>
                  {row.line === row.row ? row.row : `line ${row.line}`}
                  <div className={parts.quiet}>{row.subtask}</div>
                </td>
                <td className={own.why}>
                  {isOpen ? (
                    <span className={no ? styles.bad : undefined}>
                      {bad && <code>{bad}</code>} {no?.reason ?? row.reason}
                      {row.raw !== null && <code className={own.raw}>{row.raw}</code>}
                    </span>
                  ) : (
                    <Badge tone={row.state === 'sent' ? 'success' : 'neutral'}>{STATE_LABELS[row.state]}</Badge>
                  )}
                </td>
                {columns.map((column) => (
                  <td key={column} data-bad={isOpen && column === bad}>
                    {isOpen ? (
                      <input
                        type="text"
                        className={own.cell}
                        aria-label={`${column} of row ${row.row}`}
                        aria-invalid={column === bad || undefined}
                        placeholder={getCurrentValue(mended, row, column) === null ? 'empty' : undefined}
                        value={getCurrentValue(mended, row, column) ?? ''}
                        data-mended={mended[key]?.[column] !== undefined}
                        onChange={(event) => onMend(row, column, event.target.value === '' ? null : event.target.value)}
                      />
                    ) : (
                      (getCurrentValue(mended, row, column) ?? <span className={parts.quiet}>empty</span>)
                    )}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
