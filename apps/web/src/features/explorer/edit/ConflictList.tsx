import type { RowConflict } from '@trellis/contract/explorer/row-edits.schemas'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import styles from './edit.module.css'

interface ConflictListProps {
  conflicts: readonly RowConflict[]
  nameRow: (conflict: RowConflict) => string
  onResolve?: (conflict: RowConflict, keep: 'mine' | 'theirs') => void
}

export function ConflictList({ conflicts, nameRow, onResolve }: ConflictListProps) {
  return (
    <>
      <Banner tone="warning">
        Somebody changed {conflicts.length === 1 ? 'this row' : 'these rows'} since you loaded them. Nothing was
        applied.
      </Banner>
      <ul className={styles.conflicts} aria-label="Conflicts">
        {conflicts.map((conflict) => (
          <li key={conflict.edit}>
            <strong>{nameRow(conflict)}</strong>
            {conflict.reason === 'deleted' ? (
              <p>The row was deleted.</p>
            ) : (
              <table>
                <thead>
                  <tr>
                    <th scope="col">Column</th>
                    <th scope="col">You saw</th>
                    <th scope="col">Theirs</th>
                    <th scope="col">Yours</th>
                  </tr>
                </thead>
                <tbody>
                  {conflict.cells.map(({ column, old, theirs, mine }) => (
                    <tr key={column}>
                      <th scope="row">{column}</th>
                      <td>{formatValue(old)}</td>
                      <td>{formatValue(theirs)}</td>
                      <td>{formatValue(mine)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
            {onResolve && (
              <div className={styles.actions}>
                <Button size="sm" onClick={() => onResolve(conflict, 'theirs')}>
                  {conflict.reason === 'deleted' ? 'Drop my change' : 'Keep theirs'}
                </Button>
                {conflict.reason === 'changed' && (
                  <Button size="sm" onClick={() => onResolve(conflict, 'mine')}>
                    Use mine
                  </Button>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

const MAX_SHOWN = 200
const formatValue = (value: string | null) => (value === null ? 'NULL' : value.slice(0, MAX_SHOWN))
