import type { UploadJob } from '@trellis/contract/uploads/uploads.schemas'
import { Button } from '../../ui/actions/Button.tsx'
import { ProgressBar } from '../../ui/feedback/Meters.tsx'
import { Card } from '../../ui/layout/Card.tsx'
import { formatCount, formatBytes } from '../../ui/data/amounts.ts'
import type { UploadScope } from './upload-scope.ts'
import { useCancelJob } from './uploads.queries.ts'
import { computeJobShare, jobTitle } from './wizard.ts'

export function JobProgress({ scope, job, note }: { scope: UploadScope; job: UploadJob; note: string }) {
  const cancel = useCancelJob()
  const { progress } = job
  const parts = [
    progress.step,
    progress.total_bytes > 0 && `${formatBytes(progress.done_bytes)} of ${formatBytes(progress.total_bytes)}`,
    progress.rows > 0 && formatCount(progress.rows, 'row'),
  ].filter(Boolean)
  return (
    <Card
      title={jobTitle(job.kind)}
      subtitle={note}
      actions={
        <Button
          isBusy={cancel.isPending}
          onClick={() => cancel.mutate({ params: { ...scope.address, job_id: job.job_id } })}
        >
          Stop
        </Button>
      }
    >
      <ProgressBar label={jobTitle(job.kind)} share={computeJobShare(job)} note={parts.join(' · ')} />
    </Card>
  )
}
