import { formatValue } from '@trellis/contract/charts/format-value'
import styles from '../kit.module.css'
import type { BlockOf } from './block-kinds.ts'
import { buildCohortGrid } from './cohort-grid.ts'
import { SourceBlock } from './SourceBlock.tsx'

/** From this share on, text needs the other colour. */
const STRONG = 0.6

export function CohortBlock({ block }: { block: BlockOf<'cohort'> }) {
  const { group_column, period_column, value_column } = block
  return (
    <SourceBlock
      source={block.source}
      title={block.title}
      needs={[group_column, period_column, value_column]}
      height={240}
    >
      {(rows) => {
        const { periods, cohorts } = buildCohortGrid(rows, block)
        return (
          <div className={styles.scroll} tabIndex={0} role="group" aria-label="Cohorts">
            <table className={styles.table}>
              <thead>
                <tr>
                  <th scope="col">{group_column}</th>
                  <th scope="col">{value_column}</th>
                  {periods.map((period) => (
                    <th key={period} scope="col">
                      {period}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {cohorts.map(({ name, size, shares }) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td>{size === null ? '' : formatValue(size)}</td>
                    {shares.map((share, at) => (
                      <td
                        key={at}
                        className={styles.heat}
                        data-strong={share !== null && share > STRONG}
                        style={{ '--heat': `${Math.round(Math.min(1, Math.max(0, share ?? 0)) * 100)}%` } as object}
                      >
                        {share === null
                          ? ''
                          : formatValue(share, { style: 'percent', decimals: 0, prefix: '', suffix: '' })}
                      </td>
                    ))}
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
