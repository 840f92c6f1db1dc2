import type { TaskRunDetails } from '@trellis/contract/runs/runs.schemas'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import { formatDuration } from '../../../ui/data/durations.ts'
import { getErrorDetail } from '../../../api/api-error.ts'
import { useExecuteBlock } from '../../../running/running.queries.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { isOpenRun, formatReceipt, STATUS_LABELS, type RunReceipt } from '../run-words.ts'
import parts from '../../../running/running.module.css'

interface ReceiptsProps {
  run: TaskRunDetails
  address: WorkspaceAddress
  canWrite: boolean
  onRun: (run: string) => void
}

/** Row counts of source and table. */
export function Receipts({ run, address, canWrite, onRun }: ReceiptsProps) {
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
            <p>{formatReceipt(receipt, isLoading)}</p>
            {receipt.window && (
              <p>
                From {receipt.window.from} to {receipt.window.to}
              </p>
            )}
            {receipt.window && canWrite && !isLoading && (
              <ReadAgain run={run} window={receipt.window} address={address} onRun={onRun} />
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

interface ReadAgainProps extends Pick<ReceiptsProps, 'run' | 'address' | 'onRun'> {
  window: { from: string; to: string }
}

/** Backfills a range with upsert: missing and changed rows are loaded again. */
function ReadAgain({ run, window, address, onRun }: ReadAgainProps) {
  const execute = useExecuteBlock()
  const params = { ...address, task_block_trellis_code: run.task_block_trellis_code }
  const start = () =>
    execute.mutate(
      { params, body: { window, scope: 'block' } },
      {
        onSuccess: (next) => {
          showToast({ tone: 'success', text: `${window.from} to ${window.to} is read again.` })
          onRun(next.task_run_trellis_code)
        },
        onError: (error) => showToast({ tone: 'danger', text: getErrorDetail(error) }),
      },
    )
  return (
    <Button size="sm" isBusy={execute.isPending} onClick={start}>
      Read this range again
    </Button>
  )
}

function ReceiptBadge({ receipt, isLoading }: { receipt: RunReceipt; isLoading: boolean }) {
  if (receipt.undone_at !== null) return <Badge>Rolled back</Badge>
  if (receipt.is_whole) return <Badge tone="success">Complete</Badge>
  return isLoading ? <Badge tone="info">Loading</Badge> : <Badge tone="warning">Incomplete</Badge>
}

export function Attempts({ run, now }: { run: TaskRunDetails; now: number }) {
  if (run.attempts.length === 0) return null
  return (
    <section>
      <h3>Attempts</h3>
      <ol className={parts.lines}>
        {run.attempts.map((attempt) => {
          const { label, tone } = STATUS_LABELS[attempt.status]
          const end = attempt.finished_at === null ? now : Date.parse(attempt.finished_at)
          return (
            <li key={attempt.number}>
              <div className={parts.lineHead}>
                <span>
                  {attempt.number}. <Badge tone={tone}>{label}</Badge>
                </span>
                <span className={parts.quiet}>
                  <DateTime value={attempt.started_at} /> · {formatDuration(end - Date.parse(attempt.started_at))}
                </span>
              </div>
              {/* The run's error is shown above. */}
              {attempt.message && attempt.message !== run.problem?.message && <p>{attempt.message}</p>}
              <p>Worker {attempt.worker}</p>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
