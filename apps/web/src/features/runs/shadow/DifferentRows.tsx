import type { Comparison } from '@trellis/contract/runs/comparisons.schemas'
import { CHANGE_LABELS } from './comparison-words.ts'
import styles from './comparisons.module.css'

type Row = Comparison['sample'][number]

export function DifferentRows({ comparison: { sample, columns, table_name } }: { comparison: Comparison }) {
  if (sample.length === 0) return null
  return (
    <div className={styles.rows} role="region" aria-label={`Rows of ${table_name}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Row</th>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sample.map((row, index) => (
            <tr key={index} data-change={row.change}>
              <th scope="row">{CHANGE_LABELS[row.change]}</th>
              {columns.map((name, column) => (
                <td key={name}>
                  <Value row={row} column={column} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Value({ row: { change, before, after }, column }: { row: Row; column: number }) {
  const [was, becomes] = [before?.[column] ?? null, after?.[column] ?? null]
  if (change !== 'changed') return <CellText value={change === 'gone' ? was : becomes} />
  if (was === becomes) return <CellText value={becomes} />
  return (
    <>
      <del>
        <CellText value={was} />
      </del>{' '}
      <ins>
        <CellText value={becomes} />
      </ins>
    </>
  )
}

const CellText = ({ value }: { value: string | null }) => (value === null ? <em>null</em> : value)
