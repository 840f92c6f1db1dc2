import type { Validation } from '@trellis/contract/uploads/uploads.schemas'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import type { LoadMode } from '../wizard.ts'
import styles from './check.module.css'
import { diffSegments } from './outcome.ts'
import { ShareBar } from './ShareBar.tsx'

const KINDS = {
  new: { text: 'New', tone: 'success' },
  changed: { text: 'Changed', tone: 'warning' },
  missing: { text: 'Not in the file', tone: 'neutral' },
} as const

export function DiffCard({ diff, mode }: { diff: NonNullable<Validation['diff']>; mode: LoadMode }) {
  return (
    <Card title="Against the table" subtitle={`Matched by ${diff.keys.join(', ')}`}>
      <ShareBar label="Rows against the table" segments={diffSegments(diff, mode)} />
      {diff.samples.length > 0 && (
        <ul className={styles.samples} aria-label="Examples">
          {diff.samples.map((sample) => (
            <li key={`${sample.kind} ${sample.key.join(' ')}`}>
              <Badge tone={KINDS[sample.kind].tone}>{KINDS[sample.kind].text}</Badge>
              <code>{sample.key.map((part) => part ?? 'NULL').join(', ')}</code>
              {sample.changes.map(({ column, before, after }) => (
                <span key={column} className={styles.change}>
                  {column}:{' '}
                  {sample.kind === 'changed' ? (
                    <>
                      <del>{before ?? 'NULL'}</del> → <ins>{after ?? 'NULL'}</ins>
                    </>
                  ) : (
                    ((sample.kind === 'new' ? after : before) ?? 'NULL')
                  )}
                </span>
              ))}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
