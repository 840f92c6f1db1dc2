import { formatValue } from '@trellis/contract/charts/format-value'
import { StatusDot } from '../../ui/feedback/Status.tsx'
import styles from '../kit.module.css'
import type { BlockOf } from './block-kinds.ts'
import { readNumber, readText } from './columns.ts'
import { SourceBlock } from './SourceBlock.tsx'

export function ChecksBlock({ block }: { block: BlockOf<'checks'> }) {
  const { name_column, failed_column, total_column } = block
  return (
    <SourceBlock source={block.source} title={block.title} needs={[name_column, failed_column, total_column]}>
      {(rows) => {
        const name = readText(rows, name_column)
        const failed = readNumber(rows, failed_column)
        const total = readNumber(rows, total_column)
        const checks = rows.rows.map((row) => ({ name: name(row) ?? '', failed: failed(row), total: total(row) }))
        const passed = checks.filter((check) => check.failed === 0).length
        return (
          <>
            <p className={styles.quiet}>
              {passed} of {checks.length} checks pass.
            </p>
            <div className={styles.scroll} tabIndex={0} role="group" aria-label="Checks">
              <table className={styles.table}>
                <thead>
                  <tr>
                    <th scope="col">Check</th>
                    <th scope="col">Result</th>
                    <th scope="col">Failing rows</th>
                    <th scope="col">Rows</th>
                  </tr>
                </thead>
                <tbody>
                  {checks.map((check, at) => (
                    <tr key={at}>
                      <th scope="row">{check.name}</th>
                      <td>
                        <StatusDot tone={check.failed === 0 ? 'success' : 'danger'}>
                          {check.failed === 0 ? 'Passed' : 'Failed'}
                        </StatusDot>
                      </td>
                      <td>{formatValue(check.failed)}</td>
                      <td>{formatValue(check.total)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )
      }}
    </SourceBlock>
  )
}
