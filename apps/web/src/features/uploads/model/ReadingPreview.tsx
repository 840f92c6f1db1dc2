import type { FilePreview } from '@trellis/contract/uploads/uploads.schemas'
import type { ApiError } from '../../../api/api-error.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { ErrorPanel } from '../../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import styles from './model.module.css'
import { RowsTable } from './SampleTable.tsx'

interface ReadingPreviewProps {
  preview: FilePreview | undefined
  error: ApiError | null
  isUpdating: boolean
  onRetry: () => void
}

export function ReadingPreview({ preview, error, isUpdating, onRetry }: ReadingPreviewProps) {
  if (error) {
    return (
      <ErrorPanel
        title="The preview could not be loaded"
        detail={error.message}
        reference={error.requestId}
        isRetrying={isUpdating}
        onRetry={onRetry}
      />
    )
  }
  if (!preview) {
    return (
      <Loading label="Loading the preview">
        <Skeleton height={180} />
      </Loading>
    )
  }
  const { problem, columns, rows, lines } = preview
  return (
    <div aria-busy={isUpdating}>
      <Card isFlush title="Preview" subtitle={toSubtitle(preview)}>
        {problem !== null && (
          <div className={styles.free}>
            <Banner tone="warning" title="It can’t be read with these settings">
              {problem}
            </Banner>
          </div>
        )}
        {problem === null && rows.length === 0 && <p className={styles.free}>No rows in this reading.</p>}
        {columns.length > 0 && <RowsTable label="Preview of the rows" columns={columns} rows={rows} />}
        {problem !== null && lines.length > 0 && (
          <pre className={styles.lines} tabIndex={0} role="region" aria-label="First lines of the file">
            {lines.join('\n')}
          </pre>
        )}
      </Card>
    </div>
  )
}

function toSubtitle({ problem, rows, lines }: FilePreview): string {
  if (problem === null) return `The first ${rows.length === 1 ? 'row' : `${rows.length} rows`} as they would be read.`
  return lines.length > 0 ? 'The first lines as they are written.' : 'There are no rows to show.'
}
