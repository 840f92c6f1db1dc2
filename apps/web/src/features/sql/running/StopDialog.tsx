import type { RunningQuery } from '@trellis/contract/sql/running.schemas'
import { useState } from 'react'
import { getErrorDetail } from '../../../api/api-error.ts'
import { Checkbox } from '../../../ui/forms/Choices.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { useStopQuery } from '../sql.queries.ts'
import { useSqlScope } from '../use-sql-scope.ts'

export function StopDialog({ query, onClose }: { query: RunningQuery; onClose: () => void }) {
  const { params } = useSqlScope()
  const stop = useStopQuery()
  const [force, setForce] = useState(false)
  const { job_id, transaction_id, pid } = query
  const body = {
    force,
    ...(job_id !== null ? { job_id } : transaction_id !== null ? { transaction_id } : { ...(pid !== null && { pid }) }),
  }
  return (
    <ConfirmDialog
      title="Stop this query?"
      confirmLabel="Stop"
      cancelLabel="Keep running"
      isBusy={stop.isPending}
      error={stop.error ? getErrorDetail(stop.error) : undefined}
      onConfirm={() => stop.mutate({ params, body }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {query.state === 'idle_in_transaction'
          ? 'The connection is ended and its open transaction is rolled back.'
          : 'What the statement has not committed is rolled back.'}
      </p>
      {job_id === null && query.state === 'running' && (
        <Checkbox
          label="Also end the connection, for a statement that does not stop"
          checked={force}
          onChange={(event) => setForce(event.target.checked)}
        />
      )}
    </ConfirmDialog>
  )
}
