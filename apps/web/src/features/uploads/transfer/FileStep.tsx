import type { UploadFile } from '@trellis/contract/uploads/uploads.schemas'
import { Pause, Play, X } from 'lucide-react'
import { useState } from 'react'
import { formatDuration } from '../../../ui/data/durations.ts'
import { getErrorDetail } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { ProgressBar } from '../../../ui/feedback/Meters.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { formatBytes } from '../../../ui/data/amounts.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { useLeaveGuard } from '../../../ui/overlays/use-leave-guard.ts'
import type { UploadScope } from '../upload-scope.ts'
import { DropZone } from './DropZone.tsx'
import { secondsLeft } from './speed.ts'
import styles from './transfer.module.css'
import { useTransfer, type Transfer } from './use-transfer.ts'

interface FileStepProps {
  scope: UploadScope
  begun: UploadFile | null
  onStarted: (file: UploadFile) => void
  onFinished: (file: UploadFile) => void
  onCancelled: () => void
}

export function FileStep({ scope, begun, onStarted, onFinished, onCancelled }: FileStepProps) {
  const { transfer, isBusy, start, pause, resume, cancel } = useTransfer({ scope, begun, onStarted, onFinished })
  const guard = useLeaveGuard(isBusy || transfer.phase === 'paused')
  if (transfer.phase !== 'idle') {
    return (
      <>
        <Progress transfer={transfer} onPause={pause} onResume={resume} onCancel={() => cancel().then(onCancelled)} />
        {guard.isAsking && (
          <ConfirmDialog
            title={`Leave while ${transfer.name} is uploading?`}
            confirmLabel="Leave"
            cancelLabel="Stay here"
            onConfirm={guard.leave}
            onClose={guard.stay}
          >
            Sending stops when you leave. What arrived is kept: you find the file under Files, choose it there again and
            only the rest is sent.
          </ConfirmDialog>
        )}
      </>
    )
  }
  return (
    <div className={styles.stack}>
      {transfer.problem && (
        <Banner tone="danger" title="This file can’t be uploaded">
          {transfer.problem}
        </Banner>
      )}
      {begun && (
        <Banner tone="info" title={`${begun.original_filename} was not sent to the end`}>
          {formatBytes(begun.received_bytes)} of {formatBytes(begun.size_bytes)} arrived. Choose the same file and only
          the rest is sent.
        </Banner>
      )}
      <DropZone
        title={begun ? `Drop ${begun.original_filename} here again` : 'Drop a file here'}
        hint="CSV, TSV, JSON lines, Excel (XLSX) or Parquet, up to 50 GB. You can also paste rows copied from a sheet."
        onFile={start}
      />
    </div>
  )
}

interface ProgressProps {
  transfer: Transfer
  onPause: () => void
  onResume: () => void
  onCancel: () => Promise<void>
}

function Progress({ transfer, onPause, onResume, onCancel }: ProgressProps) {
  const [isAsking, setAsking] = useState(false)
  const { phase, name, size, sent, speed, problem } = transfer
  const left = secondsLeft(speed, size - sent)
  const note = [
    `${formatBytes(sent)} of ${formatBytes(size)}`,
    phase === 'sending' && speed !== null && `${formatBytes(speed)} a second`,
    phase === 'sending' && left !== null && `${formatDuration(left * 1000)} left`,
    phase === 'paused' && 'paused',
  ].filter(Boolean)
  return (
    <div className={styles.stack}>
      {phase === 'failed' && (
        <Banner
          tone="danger"
          title="Sending stopped"
          action={
            <Button icon={<Play aria-hidden />} onClick={onResume}>
              Retry
            </Button>
          }
        >
          {problem} What arrived is kept.
        </Banner>
      )}
      {phase === 'sending' && problem && (
        <Banner tone="warning" title="A part was lost in transfer">
          {problem} It is sent again by itself.
        </Banner>
      )}
      <Card
        title={name}
        subtitle="Keep this page open during the upload. If it closes, choose the same file again and it continues."
        actions={
          <div className={styles.actions}>
            {phase === 'sending' && (
              <Button icon={<Pause aria-hidden />} onClick={onPause}>
                Pause
              </Button>
            )}
            {phase === 'paused' && (
              <Button variant="primary" icon={<Play aria-hidden />} onClick={onResume}>
                Go on
              </Button>
            )}
            {phase !== 'starting' && phase !== 'finishing' && (
              <Button icon={<X aria-hidden />} onClick={() => setAsking(true)}>
                Cancel
              </Button>
            )}
          </div>
        }
      >
        <ProgressBar
          label={phase === 'finishing' ? 'Putting the parts together' : 'Sending the file'}
          share={size === 0 ? 0 : sent / size}
          note={note.join(' · ')}
        />
      </Card>
      {isAsking && phase !== 'starting' && phase !== 'finishing' && (
        <CancelDialog name={name} onCancel={onCancel} onClose={() => setAsking(false)} />
      )}
    </div>
  )
}

interface CancelDialogProps {
  name: string
  onCancel: () => Promise<void>
  onClose: () => void
}

function CancelDialog({ name, onCancel, onClose }: CancelDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const confirm = async () => {
    setBusy(true)
    try {
      await onCancel()
    } catch (error) {
      setProblem(getErrorDetail(error))
      setBusy(false)
    }
  }
  return (
    <ConfirmDialog
      title={`Cancel sending ${name}?`}
      confirmLabel="Cancel sending"
      cancelLabel="Keep sending"
      isBusy={isBusy}
      error={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      What arrived so far is deleted. No table has got anything from it.
    </ConfirmDialog>
  )
}
