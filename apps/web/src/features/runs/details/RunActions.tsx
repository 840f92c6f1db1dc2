import type { TaskRunDetails } from '@trellis/contract/runs/runs.schemas'
import { CircleStop, ListX, RotateCcw, ScrollText, Undo2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import { getErrorDetail } from '../../../api/api-error.ts'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { formatCount } from '../../../ui/data/amounts.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { StopRunDialog } from './StopRunDialog.tsx'
import { isBeingUndone, isOpenRun } from '../run-words.ts'
import { useRetryRun } from '../retry-run.queries.ts'
import { useCancelRun, useUndoRun } from '../runs.queries.ts'
import styles from '../runs.module.css'

const QuarantineDialog = lazy(() => import('../quarantine/QuarantineDialog.tsx'))

interface RunActionsProps {
  run: TaskRunDetails
  address: WorkspaceAddress
  canWrite: boolean
  /** Omitted on the log's page. */
  logPath?: string
  onRun: (run: string) => void
}

type OpenDialog = 'cancel' | 'undo' | 'quarantine' | null

export function RunActions({ run, address, canWrite, logPath, onRun }: RunActionsProps) {
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null)
  const retry = useRetryRun()
  const params = { ...address, task_run_trellis_code: run.task_run_trellis_code }
  const canUndo = !isOpenRun(run) && run.receipts.some(({ can_undo }) => can_undo)
  const close = () => setOpenDialog(null)
  return (
    <div className={styles.actions}>
      {logPath !== undefined && (
        <ButtonLink to={logPath} icon={<ScrollText aria-hidden />}>
          Log
        </ButtonLink>
      )}
      {canWrite && run.can_cancel && (
        <Button icon={<CircleStop aria-hidden />} onClick={() => setOpenDialog('cancel')}>
          Cancel
        </Button>
      )}
      {canWrite && run.can_retry && (
        <Button
          icon={<RotateCcw aria-hidden />}
          isBusy={retry.isPending}
          onClick={() => retry.mutate({ params }, { onSuccess: (next) => onRun(next.task_run_trellis_code) })}
        >
          Retry from this block
        </Button>
      )}
      {canWrite && !run.is_shadow && run.counters.rows_rejected > 0 && (
        <Button icon={<ListX aria-hidden />} onClick={() => setOpenDialog('quarantine')}>
          {formatCount(run.counters.rows_rejected, 'rejected row')}
        </Button>
      )}
      {canWrite && canUndo && (
        <Button icon={<Undo2 aria-hidden />} isBusy={isBeingUndone(run)} onClick={() => setOpenDialog('undo')}>
          Roll back this run
        </Button>
      )}
      {openDialog === 'cancel' && <CancelDialog run={run} params={params} onClose={close} />}
      {openDialog === 'undo' && <UndoDialog run={run} params={params} onClose={close} />}
      {openDialog === 'quarantine' && (
        <Suspense fallback={null}>
          <QuarantineDialog address={address} run={run} onClose={close} />
        </Suspense>
      )}
    </div>
  )
}

interface AskProps {
  run: TaskRunDetails
  params: WorkspaceAddress & { task_run_trellis_code: string }
  onClose: () => void
}

function CancelDialog({ run, params, onClose }: AskProps) {
  const cancel = useCancelRun()
  return (
    <StopRunDialog
      stopMutation={cancel}
      onConfirm={() => cancel.mutate({ params }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {run.block_name} stops at the source and in the database within seconds. What has been written whole stays, and a
      later run goes on from there. Blocks that wait for it do not start.
    </StopRunDialog>
  )
}

function UndoDialog({ run, params, onClose }: AskProps) {
  const undo = useUndoRun()
  const loads = run.receipts.filter(({ can_undo }) => can_undo)
  return (
    <ConfirmDialog
      title="Roll back this run?"
      confirmLabel="Roll back"
      isBusy={undo.isPending}
      error={undo.error ? getErrorDetail(undo.error) : undefined}
      onConfirm={() => undo.mutate({ params }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>These tables become what they were before the run:</p>
      <ul>
        {loads.map((load) => (
          <li key={load.load_id}>
            <code>
              {load.schema_name}.{load.table_name}
            </code>
            : {formatCount(load.rows_at_destination, 'row')} rolled back
          </li>
        ))}
      </ul>
      <p>
        {loads.some(({ window }) => window === null) &&
          'The cursor is reset too, so the next run reads these rows again. '}
        Tables that other blocks created from them are not changed.
      </p>
    </ConfirmDialog>
  )
}
