import type { FrameRows } from '@trellis/contract/sparks/spark-bridge.schemas'
import type { ReactNode } from 'react'
import { formatCount } from '../../ui/data/amounts.ts'
import { DateTime } from '../../ui/data/DateTime.tsx'
import { Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { useRows } from '../bridge/host-context.ts'
import styles from '../kit.module.css'
import { findMissing } from './columns.ts'

interface SourceBlockProps {
  source: string
  title: string
  needs: readonly (string | null)[]
  height?: number
  actions?: ReactNode
  children: (rows: FrameRows) => ReactNode
}

export function SourceBlock({ source, title, needs, height = 120, actions, children }: SourceBlockProps) {
  const { rows, problem, isLoading } = useRows(source)
  const missing = rows ? findMissing(rows, needs) : undefined
  const drawn = rows && missing === undefined && rows.rows.length > 0 ? rows : null
  const alert = problem ?? (missing === undefined ? null : `The rows have no column “${missing}”.`)
  return (
    <section className={styles.card} aria-label={title === '' ? undefined : title} aria-busy={isLoading}>
      {(title !== '' || actions) && (
        <header className={styles.cardHead}>
          <h2>{title}</h2>
          {drawn && actions}
        </header>
      )}
      {alert !== null && (
        <p role="alert" className={styles.problem}>
          {alert}
        </p>
      )}
      {rows === null && isLoading && <Skeleton height={height} />}
      {drawn && <div className={isLoading ? styles.waiting : undefined}>{children(drawn)}</div>}
      {rows && <Notes rows={rows} />}
    </section>
  )
}

function Notes({ rows }: { rows: FrameRows }) {
  return (
    <>
      {rows.rows.length === 0 && <p className={styles.quiet}>No rows.</p>}
      {rows.stale_since !== null && (
        <p className={styles.stale}>
          Stale since <DateTime value={rows.stale_since} />
        </p>
      )}
      {rows.is_cut && (
        <p className={styles.quiet}>{`Only the first ${formatCount(rows.rows.length, 'row')} of the query.`}</p>
      )}
    </>
  )
}
