import { formatValue } from '@trellis/contract/charts/format-value'
import styles from '../kit.module.css'
import type { BlockOf } from './block-kinds.ts'
import { Change } from './Change.tsx'
import { computeChange, readNumber } from './columns.ts'
import { SourceBlock } from './SourceBlock.tsx'

export function NumberBlock({ block }: { block: BlockOf<'number'> }) {
  const { column, compare_column, format } = block
  return (
    <SourceBlock source={block.source} title={block.title} needs={[column, compare_column]} height={52}>
      {(rows) => {
        const [first = []] = rows.rows
        const value = readNumber(rows, column)(first)
        const before = compare_column === null ? null : readNumber(rows, compare_column)(first)
        return (
          <div className={styles.number}>
            <strong>{formatValue(value, format)}</strong>
            {compare_column !== null && (
              <span className={styles.quiet}>
                <Change share={computeChange(value, before)} />{' '}
                <span className={styles.before}>from {formatValue(before, format)}</span>
              </span>
            )}
          </div>
        )
      }}
    </SourceBlock>
  )
}
