import type { TaskRunDetails } from '@trellis/contract/runs/runs.schemas'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { durationText, isOpenRun, receiptText, STATUS_WORDS, type ReceiptOf } from '../run-words.ts'
import parts from '../../../running/running.module.css'

/** What was at the source and what arrived, table by table. */
export function Receipts({ run }: { run: TaskRunDetails }) {
  if (run.receipts.length === 0) return null
  const isLoading = isOpenRun(run)
  return (
    <section>
      <h3>Receipts</h3>
      <ul className={parts.lines}>
        {run.receipts.map((receipt) => (
          <li key={receipt.load_id}>
            <div className={parts.lineHead}>
              <code>
                {receipt.schema_name}.{receipt.table_name}
              </code>
              <ReceiptBadge receipt={receipt} isLoading={isLoading} />
            </div>
            <p>{receiptText(receipt, isLoading)}</p>
            {receipt.window && (
              <p>
                From {receipt.window.from} to {receipt.window.to}
              </p>
            )}
            {receipt.key_hash_at_source !== null && (
              <p>
                Keys: <code>{receipt.key_hash_at_source}</code> at the source,{' '}
                <code>{receipt.key_hash_at_destination ?? 'none'}</code> here
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function ReceiptBadge({ receipt, isLoading }: { receipt: ReceiptOf; isLoading: boolean }) {
  if (receipt.undone_at !== null) return <Badge>Taken back</Badge>
  if (receipt.is_whole) return <Badge tone="success">Whole</Badge>
  return isLoading ? <Badge tone="info">Loading</Badge> : <Badge tone="warning">Not whole</Badge>
}

export function Attempts({ run, now }: { run: TaskRunDetails; now: number }) {
  if (run.attempts.length === 0) return null
  return (
    <section>
      <h3>Attempts</h3>
      <ol className={parts.lines}>
        {run.attempts.map((attempt) => {
          const { word, tone } = STATUS_WORDS[attempt.status]
          const end = attempt.finished_at === null ? now : Date.parse(attempt.finished_at)
          return (
            <li key={attempt.number}>
              <div className={parts.lineHead}>
                <span>
                  {attempt.number}. <Badge tone={tone}>{word}</Badge>
                </span>
                <span className={parts.quiet}>
                  <DateTime value={attempt.started_at} /> · {durationText(end - Date.parse(attempt.started_at))}
                </span>
              </div>
              {attempt.message && <p>{attempt.message}</p>}
              <p>Worker {attempt.worker}</p>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
