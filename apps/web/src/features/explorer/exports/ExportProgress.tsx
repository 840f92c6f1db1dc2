import type { ExportJob } from '@trellis/contract/explorer/explorer.schemas'
import { Download } from 'lucide-react'
import { Button } from '../../../ui/actions/Button.tsx'
import { formatBytes, formatCount } from '../../../ui/data/amounts.ts'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { useCancelExport, useDownloadExport, useExport } from '../exports.queries.ts'
import { useExplorer } from '../use-explorer.ts'
import styles from './exports.module.css'

export function ExportProgress({ started }: { started: ExportJob }) {
  const { params } = useExplorer()
  const { data: job } = useExport(params, started)
  const cancel = useCancelExport()
  const download = useDownloadExport(params)
  if (job.status === 'in_progress') {
    return (
      <div className={styles.progress}>
        <p role="status">{formatCount(job.rows_written, 'row')} written so far</p>
        <div className={styles.track} role="progressbar" aria-label="Exporting" />
        <p className={styles.hint}>You can close this window: the export continues and is listed under Exports.</p>
        <Button isBusy={cancel.isPending} onClick={() => cancel.mutate({ params: { ...params, job_id: job.job_id } })}>
          Cancel export
        </Button>
      </div>
    )
  }
  if (job.status === 'failed')
    return (
      <Banner tone="danger" title="The export failed">
        {job.error}
      </Banner>
    )
  if (job.status === 'cancelled') return <Banner title="The export was cancelled">Its file was removed.</Banner>
  return (
    <div className={styles.progress}>
      <p role="status">
        {formatCount(job.rows_written, 'row')} written
        {job.size_bytes !== null && `, ${formatBytes(job.size_bytes)}`}
      </p>
      <Button
        variant="primary"
        icon={<Download aria-hidden />}
        isBusy={download.isPending}
        onClick={() => download.mutate(job)}
      >
        Download {job.file_name}
      </Button>
      <p className={styles.hint}>
        The file is kept until <DateTime value={job.expires_at} />.
      </p>
    </div>
  )
}
