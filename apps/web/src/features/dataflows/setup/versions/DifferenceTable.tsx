import type { Difference } from './setting-differences.ts'
import styles from './versions.module.css'

const MAX_LENGTH = 200
const formatValue = (text: string | null) =>
  text === null ? 'nothing' : text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text

export function DifferenceTable({
  differences,
  before,
  after,
}: {
  differences: readonly Pick<Difference, 'path' | 'label' | 'before' | 'after'>[]
  before: string
  after: string
}) {
  if (differences.length === 0) return null
  return (
    <div className={styles.wide} tabIndex={0} role="region" aria-label="Differences">
      <table className={styles.differences}>
        <thead>
          <tr>
            <th scope="col">Setting</th>
            <th scope="col">{before}</th>
            <th scope="col">{after}</th>
          </tr>
        </thead>
        <tbody>
          {differences.map((difference) => (
            <tr key={difference.path}>
              <th scope="row">{difference.label}</th>
              <td data-nothing={difference.before === null}>{formatValue(difference.before)}</td>
              <td data-nothing={difference.after === null}>{formatValue(difference.after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
