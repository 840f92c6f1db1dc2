import { formatValue } from '@trellis/contract/charts/format-value'
import styles from '../kit.module.css'
import type { BlockOf } from './block-kinds.ts'
import { readNumber, readText } from './columns.ts'
import { SourceBlock } from './SourceBlock.tsx'

const toShare = (value: number, of: number) =>
  of === 0 ? '' : formatValue(value / of, { style: 'percent', decimals: 1, prefix: '', suffix: '' })

export function FunnelBlock({ block }: { block: BlockOf<'funnel'> }) {
  const { step_column, value_column } = block
  return (
    <SourceBlock source={block.source} title={block.title} needs={[step_column, value_column]} height={200}>
      {(rows) => {
        const step = readText(rows, step_column)
        const value = readNumber(rows, value_column)
        const steps = rows.rows.map((row) => ({ name: step(row) ?? '(empty)', value: value(row) ?? 0 }))
        const largest = Math.max(1, ...steps.map((other) => other.value))
        const first = steps[0]?.value ?? 0
        return (
          <div className={styles.scroll} tabIndex={0} role="group" aria-label="Funnel">
            <table className={`${styles.table} ${styles.funnel}`}>
              <thead>
                <tr>
                  <th scope="col">Step</th>
                  <th scope="col" className={styles.wide}>
                    {value_column}
                  </th>
                  <th scope="col">Of the first</th>
                  <th scope="col">Of the step before</th>
                </tr>
              </thead>
              <tbody>
                {steps.map((other, at) => (
                  <tr key={at}>
                    <th scope="row">{other.name}</th>
                    <td className={styles.wide}>
                      <span
                        aria-hidden
                        className={styles.bar}
                        style={{ width: `${(Math.max(0, other.value) / largest) * 100}%` }}
                      />
                      {formatValue(other.value)}
                    </td>
                    <td>{toShare(other.value, first)}</td>
                    <td>{at === 0 ? '' : toShare(other.value, steps[at - 1]?.value ?? 0)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }}
    </SourceBlock>
  )
}
