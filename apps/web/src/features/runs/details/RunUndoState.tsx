import type { TaskRunDetails } from '@trellis/contract/runs/runs.schemas'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import { getErrorDetail } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { formatUndo } from '../run-words.ts'
import { useUndoRun } from '../runs.queries.ts'
import styles from '../runs.module.css'

interface RunUndoStateProps {
  run: TaskRunDetails
  address: WorkspaceAddress
  canWrite: boolean
}

export function RunUndoState({ run, address, canWrite }: RunUndoStateProps) {
  const { undo } = run
  if (undo?.status === 'in_progress') {
    return (
      <Banner title="Rolling back">
        <div>
          {undo.who ?? 'Somebody'}, since <DateTime value={undo.since} /> · {formatUndo(undo)}
        </div>
        <div>Runs of {run.block_name} wait until it is done.</div>
      </Banner>
    )
  }
  if (undo?.status !== 'failed') return null
  const canTry = canWrite && run.receipts.some(({ can_undo }) => can_undo)
  return (
    <Banner tone="danger" title="The run was not rolled back">
      <div>{undo.problem}</div>
      {canTry && <TryAgain run={run} address={address} />}
    </Banner>
  )
}

function TryAgain({ run, address }: Omit<RunUndoStateProps, 'canWrite'>) {
  const undo = useUndoRun()
  const params = { ...address, task_run_trellis_code: run.task_run_trellis_code }
  return (
    <div className={styles.problemActions}>
      {undo.error && <div>{getErrorDetail(undo.error)}</div>}
      <Button size="sm" isBusy={undo.isPending} onClick={() => undo.mutate({ params })}>
        Retry
      </Button>
    </div>
  )
}
