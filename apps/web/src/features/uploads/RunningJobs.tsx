import { ButtonLink } from '../../ui/actions/Button.tsx'
import { ProgressBar } from '../../ui/feedback/Meters.tsx'
import { Card } from '../../ui/layout/Card.tsx'
import { formatCount } from '../../ui/data/amounts.ts'
import type { UploadScope } from './upload-scope.ts'
import { wizardPath } from './upload-scope.ts'
import styles from './uploads.module.css'
import { useRunningJobs, useSchemaFiles } from './uploads.queries.ts'
import { computeJobShare, jobTitle } from './wizard.ts'

export function RunningJobs({ scope }: { scope: UploadScope }) {
  const jobs = useRunningJobs(scope)
  const files = useSchemaFiles(scope)
  if (!jobs.data?.length) return null
  return (
    <Card title="In progress">
      <ul className={styles.jobs}>
        {jobs.data.map((job) => {
          const file = files.data?.find((candidate) => candidate.file_id === job.file_id)
          return (
            <li key={job.job_id}>
              <ProgressBar
                label={`${jobTitle(job.kind)}${file ? `: ${file.original_filename}` : ''}`}
                share={computeJobShare(job)}
                note={[job.progress.step, formatCount(job.progress.rows, 'row')].join(' · ')}
              />
              {file && (
                <ButtonLink
                  size="sm"
                  to={wizardPath(scope, { mode: file.mode, table: file.table_name, fileId: file.file_id })}
                >
                  Open
                </ButtonLink>
              )}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
