import type { QueryAccount } from '@trellis/contract/ai/message-parts.schemas'
import type { ReactNode } from 'react'
import { formatBytes, formatCount, wholeNumber } from '../../../../ui/data/amounts.ts'
import { Banner } from '../../../../ui/feedback/Banner.tsx'
import { formatDuration } from './format-duration.ts'
import styles from './parts.module.css'

const ROLE_LABELS: Record<QueryAccount['role'], string> = {
  tables: 'A database role that can read these tables only',
  connection: 'The login of the connected database, read-only',
}

export function Receipt({ account }: { account: QueryAccount }) {
  const { role, tables, refusal } = account
  return (
    <>
      {refusal && (
        <Banner tone="danger" title={refusal.message}>
          {[refusal.hint, refusal.position === null ? null : `At character ${refusal.position}.`]
            .filter(Boolean)
            .join(' ')}
        </Banner>
      )}
      <dl className={styles.receipt}>
        <Fact name="Role">{ROLE_LABELS[role]}</Fact>
        <Fact name="Tables">
          {tables.length === 0
            ? 'None'
            : tables.map(({ schema_name, table_name }) => `${schema_name}.${table_name}`).join(', ')}
        </Fact>
        <Fact name="Estimated cost">{describeCost(account)}</Fact>
        <Fact name="Rows">{describeRows(account)}</Fact>
        {!refusal && (
          <Fact name="Duration">
            {formatDuration(account.duration_ms)} of at most {formatDuration(account.timeout_ms)}
          </Fact>
        )}
      </dl>
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

function describeCost({ estimated_cost, estimated_rows, max_cost }: QueryAccount): string {
  if (estimated_cost === null) return 'Not estimated'
  const rows = estimated_rows === null ? '' : `, about ${formatCount(Math.round(estimated_rows), 'row')}`
  return `${wholeNumber(Math.round(estimated_cost))} of at most ${wholeNumber(max_cost)}${rows}`
}

function describeRows({ rows, cut_at, max_rows, max_bytes, refusal }: QueryAccount): string {
  if (refusal) return 'Not run'
  if (cut_at === 'rows') return `${wholeNumber(rows)}, cut at the limit of ${formatCount(max_rows, 'row')}`
  if (cut_at === 'bytes') return `${wholeNumber(rows)}, cut at the limit of ${formatBytes(max_bytes)}`
  return `${wholeNumber(rows)}, complete`
}
