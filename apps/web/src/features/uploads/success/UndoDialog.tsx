import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { formatCount } from '../../../ui/data/amounts.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { JobProgress } from '../JobProgress.tsx'
import { filesPath, tablePath, type UploadScope } from '../upload-scope.ts'
import { useJob, type useTableFiles, useRefreshUploads, useUndo } from '../uploads.queries.ts'
import { formatUndo } from './success-texts.ts'

export type TableLoad = NonNullable<ReturnType<typeof useTableFiles>['data']>[number]

interface UndoProps {
  scope: UploadScope
  table: string
  load: TableLoad
  onClose: () => void
}

export function UndoDialog({ scope, table, load, onClose }: UndoProps) {
  const undo = useUndo()
  const navigate = useNavigate()
  const refresh = useRefreshUploads()
  const job = useJob(scope, undo.data?.job_id ?? null)
  const status = job.data?.status
  const isNew = load.mode === 'new'
  const next = isNew ? filesPath(scope) : `${tablePath(scope, table)}/preview`
  const said = formatUndo(load.mode, table)
  // Depends on plain values only: a re-render while the next page loads would navigate and announce twice.
  useEffect(() => {
    if (status === undefined || status === 'in_progress') return
    void refresh()
    if (status !== 'completed') return
    showToast({ tone: 'success', text: said })
    void navigate(next)
  }, [status, refresh, said, navigate, next])
  const start = () =>
    undo.mutate({
      params: scope.address,
      body: {
        integration_trellis_code: scope.database,
        schema_name: scope.schema,
        table_name: table,
        load_id: load.load_id,
      },
    })
  return (
    <ConfirmDialog
      title="Undo this load?"
      confirmLabel="Undo"
      isBusy={undo.isPending || status === 'in_progress'}
      error={status === 'failed' ? (job.data?.error ?? 'It could not be undone.') : undefined}
      onConfirm={start}
      onClose={onClose}
    >
      {isNew
        ? `The table ${table} is taken away again with its ${formatCount(load.rows, 'row')}.`
        : load.mode === 'replace'
          ? `${table} gets the rows back that it had before. Changes made to it since then are lost.`
          : load.mode === 'upsert'
            ? `Rows that this load added to ${table} are taken out again, and rows it changed get their values from before back.`
            : `The ${formatCount(load.rows, 'row')} of this file are taken out of ${table} again.`}
      {status === 'in_progress' && job.data && <JobProgress scope={scope} job={job.data} note="" />}
      {undo.isError && <Banner tone="danger">{undo.error.message}</Banner>}
    </ConfirmDialog>
  )
}
