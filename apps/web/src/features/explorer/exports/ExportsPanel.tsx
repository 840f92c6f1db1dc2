import type { ExportJob } from '@trellis/contract/explorer/explorer.schemas'
import { Download } from 'lucide-react'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { formatBytes, formatCount } from '../../../ui/data/amounts.ts'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { StatusDot, type Tone } from '../../../ui/feedback/Status.tsx'
import { SidePanel } from '../../../ui/overlays/SidePanel.tsx'
import { useCancelExport, useDownloadExport, useExports } from '../exports.queries.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { useExplorer } from '../use-explorer.ts'
import styles from './exports.module.css'

const STATES: Record<ExportJob['status'], { tone: Tone; text: string }> = {
  in_progress: { tone: 'info', text: 'Being written' },
  completed: { tone: 'success', text: 'Ready' },
  failed: { tone: 'danger', text: 'Failed' },
  cancelled: { tone: 'neutral', text: 'Cancelled' },
}

export default function ExportsPanel({ onClose }: { onClose: () => void }) {
  const { params } = useExplorer()
  const jobs = useExports(params)
  return (
    <SidePanel title="Exports" onClose={onClose}>
      <Loaded query={jobs} subject="The list of exports">
        {(all) =>
          all.length === 0 ? (
            <EmptyState
              icon={<Download />}
              title="No exports"
              subtitle="Open a table and choose Export: its file will be listed here."
            />
          ) : (
            <ul className={styles.jobs} aria-label="Exports">
              {all.map((job) => (
                <Job key={job.job_id} job={job} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </SidePanel>
  )
}

function Job({ job }: { job: ExportJob }) {
  const { params } = useExplorer()
  const cancel = useCancelExport()
  const download = useDownloadExport(params)
  const state = STATES[job.status]
  return (
    <li className={styles.job}>
      <div>
        <span className={styles.file}>{job.file_name}</span>
        <p>
          <StatusDot tone={state.tone} isBusy={job.status === 'in_progress'}>
            {state.text}
          </StatusDot>
          {` · ${formatCount(job.rows_written, 'row')}`}
          {job.size_bytes !== null && ` · ${formatBytes(job.size_bytes)}`}
          {' · '}
          <DateTime value={job.created_at} format="recent" />
        </p>
        {job.error !== null && <p className={styles.error}>{job.error}</p>}
      </div>
      {job.status === 'completed' && (
        <IconButton
          label={`Download ${job.file_name}`}
          icon={<Download aria-hidden />}
          disabled={download.isPending}
          onClick={() => download.mutate(job)}
        />
      )}
      {job.status === 'in_progress' && (
        <Button size="sm" onClick={() => cancel.mutate({ params: { ...params, job_id: job.job_id } })}>
          Cancel
        </Button>
      )}
    </li>
  )
}
